/// @file adtb_types.h
/// The active types: `adouble`, a double whose operations are recorded, and `pdouble`, a parameter
/// that can be exchanged without recording again.
///
/// An adouble is a handle of 8 bytes: a location of an active store and the name of that store. It
/// has value semantics: copying records an assignment, moving records nothing. While the thread's
/// current tape is recorded, operations append to it; otherwise they only compute. A variable of
/// another store (another tape, another thread) is a constant with its value where it is an
/// operand, and is bound anew to the current store where it is assigned.
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
struct Access; // the recorder's way to the members of an adouble

// What tape_location needs. `store` is the present store's name, or where a location belongs.
ADOLC_API std::uint32_t presentStoreId();
ADOLC_API std::size_t newLocation(bool isParameter);
ADOLC_API void giveBackLocation(std::uint32_t store, std::size_t loc) noexcept;

} // namespace ADOLC::detail

/// A location with ownership: what the historical interface builds active types from. Owning one
/// that is owned elsewhere, too, or that does not exist is tolerated: it is freed once, or not at
/// all.
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
  ADOLC_ALWAYS_INLINE adouble() {
#ifdef ADOLC_ADOUBLE_STDCZERO
    assignConstant(0.0);
#else
    h_ = freshLocation();
#endif
  }
  ADOLC_ALWAYS_INLINE adouble(double c) { assignConstant(c); }
  ADOLC_ALWAYS_INLINE adouble(const adouble &a) { assignCopy(a); }
  /// Takes over the location of a; records nothing. (An element of a contiguous block keeps its
  /// location; then this becomes a copy. An element that was made of an expression counts as a
  /// temporary until the next operation.)
  ADOLC_ALWAYS_INLINE adouble(adouble &&a) noexcept : h_(a.h_) {
    if (h_.pinned()) [[unlikely]] {
      h_ = copyPinned(h_);
      if (h_.bits == a.h_.bits) // it was a temporary: this is the element
        a.h_ = {};
    } else {
      a.h_ = {};
    }
  }
  ADOLC_ALWAYS_INLINE ~adouble() {
    if (h_.valid())
      freeLocation(h_);
  }

  /// A handle on a location of the current store that it does not free. Throws
  /// INVALID_ACTIVE_VARIABLE when the store has no such location.
  static adouble borrow_location(std::size_t loc);
  /// Gives the location up without freeing it; the variable is invalid afterwards.
  std::size_t release_loc();
  /// False after having been moved from or released.
  bool is_valid() const { return h_.valid(); }

  adouble &operator=(double c) {
    assignConstant(c);
    return *this;
  }
  adouble &operator=(const adouble &a) {
    if (this != &a)
      assignCopy(a);
    return *this;
  }
  /// Takes over the location of a and frees the own one; records nothing. (Into or out of an
  /// element of a contiguous block it is an assignment.)
  ADOLC_ALWAYS_INLINE adouble &operator=(adouble &&a) noexcept {
    const Handle mine = h_, taken = a.h_;
    if (mine.flagged() || taken.flagged()) [[unlikely]] {
      if (this != &a)
        h_ = moveFlagged(mine, taken);
    } else if (this != &a) {
      a.h_ = {};
      h_ = taken;
      if (mine.valid())
        freeLocation(mine);
    }
    return *this;
  }
  adouble &operator=(const pdouble &p);

  /// The present value. Throws INVALID_ACTIVE_VARIABLE after a move.
  double value() const {
    if (ValueTape *const tape = ADOLC::detail::currentTapeSlot; tape != nullptr) [[likely]]
      if (ADOLC::detail::inStore(h_, tape->activeStore())) [[likely]]
        return tape->activeStore().values[h_.loc()];
    return valueElsewhere(h_);
  }
  /// Overwrites the value without recording.
  void value(double v) { setValueOf(h_, v); }
  double getValue() const { return value(); }
  void setValue(double v) { value(v); }
  explicit operator double() const { return value(); }
  /// The location. Throws INVALID_ACTIVE_VARIABLE after a move.
  std::size_t loc() const {
    requireValid(h_);
    return h_.loc();
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
  using Handle = ADOLC::detail::Handle;
  ADOLC_ALWAYS_INLINE explicit adouble(Handle h) noexcept : h_(h) {}

  void assignConstant(double c);
  void assignCopy(const adouble &a);
  ADOLC_ALWAYS_INLINE static void freeLocation(Handle h) noexcept {
    if (ValueTape *const tape = ADOLC::detail::currentTapeSlot; tape != nullptr) [[likely]] {
      ADOLC::detail::Store &store = tape->activeStore();
      if (h.has(store.freeTag)) [[likely]] {
        *store.freeTop++ = h.loc();
        return;
      }
    }
    freeElsewhere(h);
  }
  // By value, so that the address of a temporary does not escape.
  ADOLC_ALWAYS_INLINE static Handle freshLocation() {
    if (ValueTape *const tape = ADOLC::detail::currentTapeSlot; tape != nullptr) [[likely]] {
      ADOLC::detail::Store &store = tape->activeStore();
      if (store.reserved == 0) [[likely]]
        return {store.tag | store.allocate()};
    }
    return freshElsewhere();
  }
  ADOLC_COLD static Handle freshElsewhere();
  ADOLC_COLD static Handle markIndependent(Handle h, double v);
  static void freeElsewhere(Handle h) noexcept;
  static double valueElsewhere(Handle h);
  static void setValueOf(Handle h, double v);
  static void requireValid(Handle h);
  ADOLC_COLD static Handle copyPinned(Handle source) noexcept;
  ADOLC_COLD static Handle moveFlagged(Handle target, Handle source) noexcept;

  Handle h_;
};

/// A constant of the recording that can be given another value afterwards (set_param_vec). No
/// derivatives are taken with respect to it. It belongs to the tape that is selected when it is
/// made, or else to the next one that is recorded on the default store. Its index is the order of
/// creation on that tape and stays reserved while the object lives. Unlike an active variable it
/// must be read and destroyed by the thread that works with that tape.
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
  /// Index of the parameter among those of its tape.
  std::size_t loc() const;
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

template <std::size_t N> using Args = std::array<Handle, N>;
template <std::size_t N> using Consts = std::array<double, N>;

/// The recorder's access to handles, and the fast path of every operator.
struct Access {
  static Handle handle(const adouble &a) { return a.h_; }
  static Handle &handle(adouble &a) { return a.h_; }
  ADOLC_ALWAYS_INLINE static adouble make(Handle h) { return adouble(h); }

  /// Result in a fresh location.
  template <OPCODES Op, std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static adouble fresh(const Args<N> &args, const Consts<K> &consts) {
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (allPlain(args, store)) [[likely]] {
        const LocCell result = store.allocate();
        append<Op>(*tape, store, locations(args), consts, result);
        return adouble(Handle{store.tag | result});
      }
    }
    return adouble(slow(Op, Handle{}, args, consts));
  }

  /// Assignment: an invalid target gets a fresh location first.
  template <OPCODES Op, std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static void assign(adouble &target, const Args<N> &args,
                                         const Consts<K> &consts) {
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (allPlain(args, store)) [[likely]] {
        if (!target.h_.valid()) {
          if (store.reserved == 0) [[likely]] {
            const LocCell result = store.allocate();
            target.h_ = Handle{store.tag | result};
            append<Op>(*tape, store, locations(args), consts, result);
            return;
          }
        } else if (plain(target.h_, store)) [[likely]] {
          append<Op>(*tape, store, locations(args), consts, target.h_.loc());
          return;
        }
      }
    }
    target.h_ = slow(Op, target.h_, args, consts);
  }

  /// Result in the location of `target`, which is an operand as well.
  template <OPCODES Op, std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static void into(adouble &target, const Args<N> &args,
                                       const Consts<K> &consts) {
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (allPlain(with(args, target.h_), store)) [[likely]] {
        append<Op>(*tape, store, locations(args), consts, target.h_.loc());
        return;
      }
    }
    target.h_ = slow(Op, target.h_, args, consts);
  }

  /// Result in the location of the temporary `t`, which is one of the operands, if that is a plain
  /// owning handle of the current store; in a fresh location otherwise. Either way t has been moved
  /// from, which spares its destructor.
  template <OPCODES InPlace, OPCODES Fresh, std::size_t N, std::size_t M, std::size_t K>
  ADOLC_ALWAYS_INLINE static adouble reuse(adouble &t, const Args<N> &inPlaceArgs,
                                           const Args<M> &freshArgs, const Consts<K> &consts) {
    const Handle h = t.h_;
    t.h_ = {};
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      if (allPlain(with(freshArgs, h), store)) [[likely]] {
        append<InPlace>(*tape, store, locations(inPlaceArgs), consts, h.loc());
        return adouble(h);
      }
    }
    return adouble(consumeSlow(h, Fresh, freshArgs, consts));
  }

  /// target ±= t for a temporary t, which has been moved from afterwards. If t is the product that
  /// was recorded last, the product itself becomes the operation: code, result and value change,
  /// the factors stay. `Plain` is the operation otherwise: eq_plus_a or eq_min_a.
  template <OPCODES Plain> ADOLC_ALWAYS_INLINE static void accumulate(adouble &target, adouble &t) {
    const Handle mine = target.h_, h = t.h_;
    t.h_ = {};
    if (ValueTape *const tape = recordingTape()) [[likely]] {
      Store &store = tape->activeStore();
      const bool common = ((mine.bits ^ store.tag) | (h.bits ^ store.freeTag)) >> 32 == 0;
      if (common && mine.loc() != h.loc()) [[likely]] {
        switch (fusedWith<Plain>(*tape, mine, h)) {
        case Plain:
          append<Plain>(*tape, store, std::array{h.loc()}, Consts<0>{}, mine.loc());
          break;
        case eq_plus_prod_d:
          fuse<Plain>(eq_plus_prod_d, *tape, store, mine, h);
          break;
        default:
          fuse<Plain>(Plain == eq_plus_a ? eq_plus_prod : eq_min_prod, *tape, store, mine, h);
        }
        *store.freeTop++ = h.loc();
        return;
      }
    }
    target.h_ = accumulateSlow<Plain>(mine, h);
  }

private:
  template <std::size_t N>
  ADOLC_ALWAYS_INLINE static Args<N + 1> with(const Args<N> &args, Handle h) {
    Args<N + 1> all;
    for (std::size_t i = 0; i < N; ++i)
      all[i] = args[i];
    all[N] = h;
    return all;
  }
  /// What the last operation and `Plain` are together, or Plain if they do not join. Precondition:
  /// the tape is recorded, so that a mark or an operation stands before its cursor.
  template <OPCODES Plain>
  ADOLC_ALWAYS_INLINE static OPCODES fusedWith(const ValueTape &tape, Handle target,
                                               Handle product) {
    const ValueTape::Recorder &r = tape.recorder;
    // A product has no other bit. Before it is known to be one, there may be no locations to look
    // at.
    const unsigned last = r.op[-1] | kSaveBit;
    if (last == opCell(mult_a_a, 1)) {
      if (r.loc[-1] == product.loc() && r.loc[-2] != target.loc() && r.loc[-3] != target.loc())
        return Plain == eq_plus_a ? eq_plus_prod : eq_min_prod;
    } else if (last == opCell(mult_d_a, 1)) {
      if (r.loc[-1] == product.loc() && r.loc[-2] != target.loc())
        return eq_plus_prod_d;
    }
    return Plain;
  }
  /// First the temporary is what it was before the product: its flag and, with keep, its saved
  /// value are restored.
  template <OPCODES Plain>
  ADOLC_ALWAYS_INLINE static void fuse(OPCODES fused, ValueTape &tape, Store &store, Handle target,
                                       Handle product) {
    const LocCell changed = target.loc(), temporary = product.loc();
    ValueTape::Recorder &r = tape.recorder;
    const double value = ADOLC::ops::rounded(store.values[temporary]);
    unsigned save = static_cast<unsigned>(store.needed[changed]);
    ADOLC_NOW(save);
    const auto saved = static_cast<Needed>(r.op[-1] & kSaveBit);
    store.needed[temporary] = saved;
    store.needed[changed] = Needed::no;
    if (r.keeps) [[unlikely]] {
      if (saved == Needed::yes)
        store.values[temporary] = *--r.tay;
      *r.tay = store.values[changed];
      r.tay += save;
    }
    r.op[-1] = static_cast<OpCell>(opCell(fused) + save);
    r.loc[-1] = changed;
    if (Plain == eq_min_a && fused == eq_plus_prod_d) // s -= c x is s += (-c) x, to the last bit
      r.val[-1] = -r.val[-1];
    store.values[changed] =
        Plain == eq_plus_a ? store.values[changed] + value : store.values[changed] - value;
    tape.countFusedProduct();
  }
  template <OPCODES Plain> ADOLC_COLD static Handle accumulateSlow(Handle target, Handle product) {
    if (target.bits == product.bits) { // the same variable, which holds nothing at the moment
      adouble owner = make(target);
      const Handle result = recordSlow(Plain, target, product);
      owner.h_ = {};
      return result;
    }
    if (ValueTape *const tape = currentTapeSlot; tape != nullptr && tape->recorder.op != nullptr)
      if (Store &store = tape->activeStore(); plain(target, store) && plain(product, store))
        if (const OPCODES fused = fusedWith<Plain>(*tape, target, product); fused != Plain) {
          fuse<Plain>(fused, *tape, store, target, product); // needs no room for an operation
          store.free(product.loc());
          return target;
        }
    return recordConsuming(Plain, product, target, product);
  }
  template <std::size_t N>
  ADOLC_ALWAYS_INLINE static std::array<LocCell, N> locations(const Args<N> &args) {
    std::array<LocCell, N> locs{};
    for (std::size_t i = 0; i < N; ++i)
      locs[i] = args[i].loc();
    return locs;
  }
  /// As slow for a temporary that ends with the operation.
  template <std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static Handle consumeSlow(Handle temporary, OPCODES op, const Args<N> &args,
                                                const Consts<K> &consts) {
    const auto arg = [&](std::size_t i) { return i < N ? args[i] : Handle{}; };
    return recordConsuming(op, temporary, {}, arg(0), arg(1), K > 0 ? consts[0] : 0.0);
  }
  template <std::size_t N, std::size_t K>
  ADOLC_ALWAYS_INLINE static Handle slow(OPCODES op, Handle target, const Args<N> &args,
                                         const Consts<K> &consts) {
    const auto arg = [&](std::size_t i) { return i < N ? args[i] : Handle{}; };
    const auto constant = [&](std::size_t i) { return i < K ? consts[i] : 0.0; };
    return recordSlow(op, target, arg(0), arg(1), arg(2), constant(0), constant(1));
  }
};

// What a parameter or a number in an expression is worked with as.
inline const adouble &activate(const adouble &a) { return a; }
inline adouble activate(const pdouble &p) { return static_cast<adouble>(p); }
template <class T>
requires std::is_arithmetic_v<T>
double activate(T c) { return static_cast<double>(c); }
template <class T>
inline constexpr bool isParameter = std::same_as<std::remove_cvref_t<T>, pdouble>;
template <class T>
concept Operand = std::same_as<T, adouble> || std::same_as<T, pdouble> || std::is_arithmetic_v<T>;
/// At least one parameter; the other operands active variables, numbers or parameters.
template <class... T>
concept WithParameter = (Operand<T> && ...) && (isParameter<T> || ...);

} // namespace ADOLC::detail

#include <adolc/internal/adouble_functions.h>
#include <adolc/internal/adouble_operators.h>
