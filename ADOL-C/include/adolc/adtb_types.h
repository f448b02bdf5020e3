/// @file adtb_types.h
/// The active types: `adouble`, a double whose operations are recorded, and `pdouble`, a parameter
/// that can be exchanged without recording again.
///
/// An adouble is a handle of 8 bytes: a location of an active store and the name of that store. It
/// has value semantics: copying records an assignment, moving records nothing. While the thread's
/// current tape is recorded, operations append to it; otherwise they only compute. A variable of
/// another store (another tape, another thread) is a constant with its value where it is an operand,
/// and is bound anew to the current store where it is assigned.
///
/// A moved-from variable can be destroyed and assigned; reading it throws INVALID_ACTIVE_VARIABLE.
/// An adouble must not be used by two threads at a time; it may be destroyed by any thread.
#pragma once

#include <adolc/internal/recorder.h>

#include <cmath>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

class adouble;
class pdouble;

template <class T>
concept adouble_or_pdouble = std::same_as<T, adouble> || std::same_as<T, pdouble>;

namespace ADOLC::detail {

/// Top bits of a handle's store name.
inline constexpr std::uint32_t kBorrowed = 1u << 31; ///< not freed by this handle
static_assert(kStoreIdBits == 30 && kPinned == 1u << 30);

/// True if both names mean the store `id`, whatever their flags.
ADOLC_ALWAYS_INLINE bool inStore(StoreId id, std::uint32_t a) { return ((a ^ id) << 2) == 0; }
ADOLC_ALWAYS_INLINE bool inStore(StoreId id, std::uint32_t a, std::uint32_t b) {
  return (((a ^ id) | (b ^ id)) << 2) == 0;
}

struct Access; // the recorder's way to the members of an adouble

// What tape_location needs. `store` is the present store's name, or where a location belongs.
ADOLC_API std::uint32_t presentStoreId();
ADOLC_API std::size_t newLocation(bool isParameter);
ADOLC_API void giveBackLocation(std::uint32_t store, std::size_t loc) noexcept;

} // namespace ADOLC::detail

/// A location with ownership: what the historical interface builds active types from.
template <class T> class tape_location {
public:
  enum ownership_mode { INVALID = 0, OWNING = 1, BORROWED = 2 };

  /// Takes the next free location (adouble) or parameter index (pdouble) of the current tape.
  tape_location() : tape_location(ADOLC::detail::newLocation(std::same_as<T, pdouble>)) {}
  /// A location of the current tape.
  explicit tape_location(std::size_t loc, ownership_mode mode = OWNING)
      : loc_(loc), store_(ADOLC::detail::presentStoreId()), mode_(mode) {}
  tape_location(const tape_location &) = delete;
  tape_location &operator=(const tape_location &) = delete;
  tape_location(tape_location &&other) noexcept
      : loc_(other.loc_), store_(other.store_), mode_(std::exchange(other.mode_, INVALID)) {}
  tape_location &operator=(tape_location &&other) noexcept {
    if (this != &other) {
      free();
      loc_ = other.loc_;
      store_ = other.store_;
      mode_ = std::exchange(other.mode_, INVALID);
    }
    return *this;
  }
  ~tape_location() { free(); }

  std::size_t loc() const { return loc_; }
  bool owns_location() const { return mode_ == OWNING; }
  bool is_valid() const { return mode_ != INVALID; }
  /// Gives the location up without freeing it.
  std::size_t release() {
    ADOLC_ASSERT(is_valid());
    mode_ = INVALID;
    return loc_;
  }

private:
  /// Parameters are released collectively at trace_off.
  void free() noexcept {
    if (mode_ == OWNING && std::same_as<T, adouble>)
      ADOLC::detail::giveBackLocation(store_, loc_);
  }

  std::size_t loc_;
  std::uint32_t store_;
  ownership_mode mode_;
};

/// The active variable.
class ADOLC_API adouble {
public:
  /// Value 0, recorded.
  ADOLC_ALWAYS_INLINE adouble() : adouble(Invalid{}) {
#ifdef ADOLC_ADOUBLE_STDCZERO
    assignConstant(0.0);
#else
    takeLocation();
#endif
  }
  ADOLC_ALWAYS_INLINE adouble(double c) : adouble(Invalid{}) { assignConstant(c); }
  ADOLC_ALWAYS_INLINE adouble(const adouble &a) : adouble(Invalid{}) { assignCopy(a); }
  /// Takes over the location of a; records nothing.
  ADOLC_ALWAYS_INLINE adouble(adouble &&a) noexcept : loc_(a.loc_), store_(a.store_) {
    if ((store_ & ADOLC::detail::kPinned) != 0) [[unlikely]]
      movePinned(a);
    else
      a.store_ = 0;
  }
  ADOLC_ALWAYS_INLINE ~adouble() {
    if (store_ != 0)
      freeLocation();
  }

  /// A handle on a location of the current store that it does not free. Throws
  /// INVALID_ACTIVE_VARIABLE when the store has no such location.
  static adouble borrow_location(std::size_t loc);
  /// Gives the location up without freeing it; the variable is invalid afterwards.
  std::size_t release_loc();
  /// False after having been moved from or released.
  bool is_valid() const { return store_ != 0; }

  adouble &operator=(double c) {
    assignConstant(c);
    return *this;
  }
  adouble &operator=(const adouble &a) {
    if (this != &a)
      assignCopy(a);
    return *this;
  }
  /// Takes over the location of a and frees the own one; records nothing. (An element of a
  /// contiguous block keeps its location: then it is an assignment.)
  ADOLC_ALWAYS_INLINE adouble &operator=(adouble &&a) noexcept {
    if (((store_ | a.store_) & (ADOLC::detail::kPinned | ADOLC::detail::kBorrowed)) != 0)
        [[unlikely]] {
      moveAssignSlow(a);
    } else if (this != &a) {
      const std::uint32_t loc = a.loc_, store = std::exchange(a.store_, 0u);
      if (store_ != 0)
        freeLocation();
      loc_ = loc;
      store_ = store;
    }
    return *this;
  }
  adouble &operator=(const pdouble &p);

  /// The present value. Throws INVALID_ACTIVE_VARIABLE after a move.
  double value() const {
    const ValueTape *const tape = ADOLC::detail::currentTapeSlot;
    if (tape != nullptr && ADOLC::detail::inStore(storeOf(*tape).id, store_)) [[likely]]
      return storeOf(*tape).values[loc_];
    return *valueCell();
  }
  /// Overwrites the value without recording.
  void value(double v) { *valueCell() = v; }
  double getValue() const { return value(); }
  void setValue(double v) { value(v); }
  explicit operator double() const { return value(); }
  /// The location. Throws INVALID_ACTIVE_VARIABLE after a move.
  std::size_t loc() const {
    requireValid();
    return loc_;
  }

  adouble &operator+=(double c);
  adouble &operator-=(double c);
  adouble &operator*=(double c);
  adouble &operator/=(double c);
  adouble &operator+=(const adouble &a);
  adouble &operator-=(const adouble &a);
  adouble &operator*=(const adouble &a);
  adouble &operator/=(const adouble &a);
  /// x += b*c with a product that was recorded last becomes one operation.
  adouble &operator+=(adouble &&a);
  adouble &operator-=(adouble &&a);
  adouble &operator+=(const pdouble &p);
  adouble &operator-=(const pdouble &p);
  adouble &operator*=(const pdouble &p);
  adouble &operator/=(const pdouble &p);
  adouble &operator++();
  adouble &operator--();
  adouble operator++(int);
  adouble operator--(int);

  /// Marks the next independent and sets its value.
  adouble &operator<<=(double v);
  /// Marks the next dependent and stores its value to v.
  adouble &operator>>=(double &v);
  void declareIndependent();
  void declareDependent();

private:
  friend struct ADOLC::detail::Access;
  struct Invalid {};
  explicit adouble(Invalid) noexcept : loc_(0), store_(0) {}
  ADOLC_ALWAYS_INLINE adouble(std::uint32_t loc, std::uint32_t store) noexcept
      : loc_(loc), store_(store) {}

  static ADOLC::detail::Store &storeOf(ValueTape &tape) { return tape.activeStore(); }
  static const ADOLC::detail::Store &storeOf(const ValueTape &tape) {
    return const_cast<ValueTape &>(tape).activeStore();
  }

  void assignConstant(double c);
  void assignCopy(const adouble &a);
  ADOLC_ALWAYS_INLINE void freeLocation() noexcept {
    ValueTape *const tape = ADOLC::detail::currentTapeSlot;
    if (tape != nullptr && storeOf(*tape).id == store_) [[likely]]
      storeOf(*tape).free(loc_);
    else
      freeForeign();
  }
  void takeLocation();
  void freeForeign() noexcept;
  double *valueCell() const;
  void requireValid() const;
  ADOLC_COLD void movePinned(adouble &source) noexcept;
  ADOLC_COLD void moveAssignSlow(adouble &a) noexcept;

  std::uint32_t loc_;
  std::uint32_t store_; // id and flags; 0: invalid
};

/// A constant of the recording that can be given another value afterwards (set_param_vec). No
/// derivatives are taken with respect to it. Its index is the order of creation; the index stays
/// reserved while the object lives.
class ADOLC_API pdouble {
public:
  explicit pdouble(double value);
  pdouble(const pdouble &) = delete;
  pdouble &operator=(const pdouble &) = delete;
  pdouble(pdouble &&other) noexcept
      : index_(other.index_), store_(std::exchange(other.store_, 0u)) {}
  pdouble &operator=(pdouble &&other) noexcept;
  ~pdouble() { release(); }

  /// A fresh active variable with the parameter's value (records assign_p). Throws PARAM_OOB when
  /// the parameter belongs to another store than the current one.
  explicit operator adouble() const;
  /// Index of the parameter.
  std::size_t loc() const { return index_; }
  double value() const;
  void value(double v);

private:
  void release() noexcept;

  std::size_t index_;
  std::uint32_t store_; // 0: moved from
};

// Names of 2.7.
using adub = adouble;
using badouble = adouble;

namespace ADOLC::detail {

/// The recorder's access to handles, and the fast path of every operator.
struct Access {
  static std::uint32_t loc(const adouble &a) { return a.loc_; }
  static std::uint32_t &loc(adouble &a) { return a.loc_; }
  static std::uint32_t store(const adouble &a) { return a.store_; }
  static std::uint32_t &store(adouble &a) { return a.store_; }
  static adouble invalid() { return adouble(adouble::Invalid{}); }
  static adouble make(std::uint32_t loc, std::uint32_t store) { return adouble(loc, store); }

  /// Replaces the product that was recorded last, if `product` is its result, by Op on `target`.
  /// Undoing it restores the flag and the saved entry of the temporary first: the value that the
  /// product had overwritten stands again.
  template <OPCODES Op> ADOLC_ALWAYS_INLINE static bool fuse(adouble &target, adouble &product) {
    ValueTape *const tape = recordingTape();
    if (tape == nullptr)
      return false;
    Store &store = tape->activeStore();
    ValueTape::Recorder &r = tape->recorder;
    const OpCell last = r.op[-1];
    if (opcodeOf(last) != mult_a_a || product.store_ != store.id || r.loc[-1] != product.loc_ ||
        !inStore(store.id, target.store_) || target.loc_ == r.loc[-3] ||
        target.loc_ == r.loc[-2] || target.loc_ == product.loc_)
      return false;
    const std::array<LocCell, 2> factors{r.loc[-3], r.loc[-2]};
    const bool saved = (last & kSaveBit) != 0;
    --r.op;
    r.loc -= 3;
    store.needed[product.loc_] = saved ? 1 : 0;
    if (r.tay != nullptr && saved)
      store.values[product.loc_] = *--r.tay;
    product.store_ = 0;
    store.free(product.loc_);
    tape->countFusedProduct();
    append<Op>(*tape, store, factors, std::array<double, 0>{}, target.loc_);
    return true;
  }

  /// Result in a fresh location.
  template <OPCODES Op, std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static adouble fresh(const std::array<const adouble *, N> &args,
                                           const std::array<double, K> &consts) {
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (allLocal(store.id, args)) [[likely]] {
        const std::uint32_t result = store.allocate();
        append<Op>(*tape, store, locations(args), consts, result);
        return adouble(result, store.id);
      }
    }
    adouble result{adouble::Invalid{}};
    recordSlow(Op, args.data(), consts.data(), result);
    return result;
  }

  /// Assignment: as into, but an invalid target gets a fresh location first.
  template <OPCODES Op, std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static void assign(adouble &target, const std::array<const adouble *, N> &args,
                                         const std::array<double, K> &consts) {
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (allLocal(store.id, args)) [[likely]] {
        if (target.store_ == 0) {
          target.loc_ = store.allocate();
          target.store_ = store.id;
          if (store.reserved != 0) [[unlikely]]
            target.store_ |= store.takeReserved();
          append<Op>(*tape, store, locations(args), consts, target.loc_);
          return;
        }
        if (inStore(store.id, target.store_)) [[likely]] {
          append<Op>(*tape, store, locations(args), consts, target.loc_);
          return;
        }
      }
    }
    recordSlow(Op, args.data(), consts.data(), target);
  }

  /// Result in the location of `target`, which is an operand as well.
  template <OPCODES Op, std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static void into(adouble &target, const std::array<const adouble *, N> &args,
                                       const std::array<double, K> &consts) {
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (inStore(store.id, target.store_) && allLocal(store.id, args)) [[likely]] {
        append<Op>(*tape, store, locations(args), consts, target.loc_);
        return;
      }
    }
    recordSlow(Op, args.data(), consts.data(), target);
  }

  /// Result in the location of the temporary `t`, which is one of the operands, if that is a plain
  /// owning handle of the current store; in a fresh location otherwise.
  template <OPCODES InPlace, OPCODES Fresh, std::size_t N, std::size_t M, std::size_t K>
  ADOLC_ALWAYS_INLINE static adouble reuse(adouble &t,
                                           const std::array<const adouble *, N> &inPlaceArgs,
                                           const std::array<const adouble *, M> &freshArgs,
                                           const std::array<double, K> &consts) {
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (t.store_ == store.id && allLocal(store.id, freshArgs)) [[likely]] {
        append<InPlace>(*tape, store, locations(inPlaceArgs), consts, t.loc_);
        return adouble(t.loc_, std::exchange(t.store_, 0u));
      }
    }
    return fresh<Fresh>(freshArgs, consts);
  }

private:
  template <std::size_t N>
  ADOLC_ALWAYS_INLINE static bool allLocal(StoreId id,
                                           const std::array<const adouble *, N> &args) {
    std::uint32_t difference = 0;
    for (std::size_t i = 0; i < N; ++i)
      difference |= args[i]->store_ ^ id;
    return (difference << 2) == 0;
  }
  template <std::size_t N>
  ADOLC_ALWAYS_INLINE static std::array<LocCell, N>
  locations(const std::array<const adouble *, N> &args) {
    std::array<LocCell, N> locs{};
    for (std::size_t i = 0; i < N; ++i)
      locs[i] = args[i]->loc_;
    return locs;
  }
};

// What a parameter or a number in an expression is worked with as.
inline const adouble &activate(const adouble &a) { return a; }
inline adouble activate(const pdouble &p) { return static_cast<adouble>(p); }
template <class T>
  requires std::is_arithmetic_v<T>
double activate(T c) {
  return static_cast<double>(c);
}
template <class T> inline constexpr bool isParameter = std::same_as<std::remove_cvref_t<T>, pdouble>;
template <class T>
concept Operand = std::same_as<T, adouble> || std::same_as<T, pdouble> || std::is_arithmetic_v<T>;
/// At least one parameter; the other operand an active variable, a number or a parameter.
template <class A, class B>
concept WithParameter = Operand<A> && Operand<B> && (isParameter<A> || isParameter<B>);

template <std::size_t N> using Args = std::array<const adouble *, N>;
template <std::size_t N> using Consts = std::array<double, N>;

} // namespace ADOLC::detail

#include <adolc/internal/adouble_operators.h>
#include <adolc/internal/adouble_functions.h>
