/// @file storemanager.h
/// Allocators of locations for arrays of the program's own.
///
/// A location is an index into an array of double. A manager hands out locations, takes them back
/// and enlarges the array when it is full. The library itself does not use these classes: where
/// active variables live is the business of valuetape/store.h, whatever
/// ValueTape::setStoreManagerType says. This header is not part of the umbrella adolc.h.
///
///     double *store = nullptr;
///     std::size_t capacity = 0, lives = 0;
///     StoreManagerLocintBlock manager(store, capacity, lives);
///     const locint loc = manager.next_loc();
///     store[loc] = 1.0; // not store[manager.next_loc()]: growth moves the array
///     manager.free_loc(loc);
///     delete[] store;
///
/// A manager is used by one thread at a time.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <vector>

/// What the managers have in common. Counts are numbers of locations.
class ADOLC_API StoreManager {
public:
  /// The kinds of managers, see storeType and ValueTape::setStoreManagerType.
  enum LocationMgrType { ADOLC_LOCATION_BLOCKS, ADOLC_LOCATION_SINGLETONS };

  StoreManager() = default;
  virtual ~StoreManager();
  StoreManager(const StoreManager &) = delete;
  StoreManager &operator=(const StoreManager &) = delete;

  /// Hands out a location that is not handed out; grows the array where needed. The value there is
  /// what the last user of the location left, 0 in a new one. Throws as grow does; then nothing has
  /// changed.
  virtual locint next_loc() = 0;
  /// Takes a location back. Its value stays readable until it is handed out again. A location that
  /// is not handed out, be it free already or outside the array, is ignored. Never throws: without
  /// memory for the note, the location stays handed out.
  virtual void free_loc(locint loc) = 0;
  /// The next n calls of next_loc return consecutive ascending locations, provided that nothing is
  /// freed in between. Throws as grow does, and SM_LOCINT_BLOCK where a manager cannot do it.
  virtual void ensure_block(std::size_t n) = 0;
  /// Doubles the capacity, and adds at least mingrow locations. Values are preserved, new ones are
  /// 0. The array moves. Throws SM_MAX_LIVES where no array can have that many elements,
  /// TAPING_STORE_REALLOC_FAILED without memory; then nothing has changed.
  virtual void grow(std::size_t mingrow = 0) = 0;

  /// Goes on with other variables of the program, into which it has moved the values of the former
  /// ones; what is handed out stays handed out.
  virtual void rebind(double *&store, std::size_t &capacity, std::size_t &lives) noexcept = 0;

  /// The capacity: number of elements of the array.
  virtual std::size_t maxSize() const = 0;
  /// Number of locations that are handed out.
  virtual std::size_t size() const = 0;
  /// A LocationMgrType.
  virtual unsigned char storeType() const = 0;

  /// Tunes ensure_block of the block manager: before it searches for a block, it joins adjacent
  /// free ones if capacity / size() exceeds the ratio or the capacity exceeds the size (in
  /// locations). Any values will do; a ratio that is NaN is exceeded by nothing.
  void setStoreManagerControl(double gcTriggerRatio, std::size_t gcTriggerMaxSize) {
    gcTriggerRatio_ = gcTriggerRatio;
    gcTriggerMaxSize_ = gcTriggerMaxSize;
  }
  double gcTriggerRatio() const { return gcTriggerRatio_; }
  std::size_t gcTriggerMaxSize() const { return gcTriggerMaxSize_; }

  /// The first capacity of a block manager; that of a manager of single locations is twice this.
  static constexpr std::size_t get_initialSize() { return 4; }

private:
  double gcTriggerRatio_ = 1.5;
  std::size_t gcTriggerMaxSize_ = get_initialSize();
};

namespace ADOLC::detail {

/// The three variables of the program, and which locations are handed out.
class LocationArray {
public:
  LocationArray(double *&store, std::size_t &capacity, std::size_t &lives);
  void rebind(double *&store, std::size_t &capacity, std::size_t &lives) noexcept;

  double *&store() const { return *store_; }
  std::size_t &capacity() const { return *capacity_; }
  std::size_t &lives() const { return *lives_; }

  std::vector<bool> handedOut; ///< by location, up to the capacity that the manager knows

private:
  double **store_;
  std::size_t *capacity_;
  std::size_t *lives_;
};

} // namespace ADOLC::detail

/// Hands out blocks of consecutive locations, from 0 upwards: those of the front block in ascending
/// order. A freed location that is adjacent to the front block joins it, any other one becomes the
/// new front block; so what was freed last is handed out first.
///
/// The capacity is 0 at first, then 4, then it doubles as soon as the last free location has been
/// handed out: 8 live locations mean a capacity of 16.
///
/// The three variables stay the program's: they may be read at any time and must outlive the
/// manager. `store` is null or made by `new double[]`, of `capacity` elements; growth replaces it,
/// by `delete[]` and `new double[]`; the destructor of the manager leaves it alone, the program
/// deletes it. Elements that are there already when the manager is made, or that the program adds
/// by itself, count as handed out: they are used once they are freed. `lives` is not changed by
/// that.
class ADOLC_API StoreManagerLocintBlock : public StoreManager {
public:
  StoreManagerLocintBlock(double *&store, std::size_t &capacity, std::size_t &lives);
  ~StoreManagerLocintBlock() override;

  locint next_loc() override;
  void free_loc(locint loc) noexcept override;
  /// Takes the first block that is long enough, else grows. For how many free blocks there are, the
  /// time is linear, or k log k where it joins k of them.
  void ensure_block(std::size_t n) override;
  void grow(std::size_t mingrow = 0) override;
  void rebind(double *&store, std::size_t &capacity, std::size_t &lives) noexcept override;

  std::size_t maxSize() const override { return array_.capacity(); }
  std::size_t size() const override { return array_.lives(); }
  unsigned char storeType() const override { return ADOLC_LOCATION_BLOCKS; }

private:
  struct Block {
    locint next;
    std::size_t size;
  };

  void takeNote();
  void joinBlocks();

  ADOLC::detail::LocationArray array_;
  std::vector<Block> blocks_; // none is empty; the front block is the last element
};

/// Hands out single locations, from 1 upwards (0 is reserved): the one that was freed last, else
/// the lowest that was never handed out.
///
/// The capacity is 0 at first, then 8, then it doubles when a location is needed and none is free.
/// For the three variables the same holds as with StoreManagerLocintBlock.
class ADOLC_API StoreManagerLocint : public StoreManager {
public:
  StoreManagerLocint(double *&store, std::size_t &capacity, std::size_t &lives);
  ~StoreManagerLocint() override;

  locint next_loc() override;
  void free_loc(locint loc) noexcept override;
  /// Throws SM_LOCINT_BLOCK for n > 1.
  void ensure_block(std::size_t n) override;
  void grow(std::size_t mingrow = 0) override;
  void rebind(double *&store, std::size_t &capacity, std::size_t &lives) noexcept override;

  std::size_t maxSize() const override { return array_.capacity(); }
  std::size_t size() const override { return array_.lives(); }
  unsigned char storeType() const override { return ADOLC_LOCATION_SINGLETONS; }

private:
  void takeNote();

  ADOLC::detail::LocationArray array_;
  std::vector<locint> free_; // the one to be handed out next is the last element
};
