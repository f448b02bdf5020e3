/// The out-of-line half of the active types: functions, comparisons, markers, and everything that
/// the inline fast path does not handle.
#include <adolc/adtb_types.h>

#include <array>
#include <istream>
#include <ostream>

using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace ADOLC::detail {
namespace {

/// The store that operations of this thread work on now.
Store &presentStore() {
  ValueTape *const tape = currentTapeSlot;
  return tape != nullptr ? tape->activeStore() : Store::threadDefault();
}

/// The thread's tape if it is being recorded, with room for one more operation.
ValueTape *readyTape() {
  ValueTape *const tape = currentTapeSlot;
  if (tape == nullptr || !tape->streamsOpen())
    return nullptr;
  if (tape->recorder.op == tape->recorder.opLimit)
    tape->nextSegment();
  return tape;
}

/// For messages.
short presentTapeId() { return currentTapeSlot != nullptr ? currentTapeSlot->tapeId() : short{-1}; }

void requireValid(const adouble &a) {
  if (!a.is_valid())
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = presentTapeId()});
}

void takeLocation(adouble &a, Store &store) {
  Access::loc(a) = store.allocate();
  Access::store(a) = store.id;
  if (store.reserved != 0)
    Access::store(a) |= store.takeReserved();
}

/// Whether the result is also an operand.
template <class L> constexpr bool readsTarget() {
  return L::count(ADOLC::ops::Slot::Result) > 0;
}

template <OPCODES Op>
void recordAnywhere(const adouble *const *args, const double *consts, adouble &target) {
  using Rule = typename OpTraits<Op>::Rule;
  using L = typename OpTraits<Op>::L;
  constexpr std::size_t numArgs = L::count(ADOLC::ops::Slot::Active);
  constexpr std::size_t numConsts = L::count(ADOLC::ops::Slot::Constant);
  Store &store = presentStore();

  // Operands of other stores become constants of this one.
  std::array<adouble, numArgs> foreign = [] {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<adouble, numArgs>{((void)I, Access::invalid())...};
    }(std::make_index_sequence<numArgs>{});
  }();
  std::array<LocCell, numArgs> locs{};
  for (std::size_t i = 0; i < numArgs; ++i) {
    requireValid(*args[i]);
    const adouble *operand = args[i];
    if (!inStore(store.id, Access::store(*operand))) {
      foreign[i] = operand->value();
      operand = &foreign[i];
    }
    locs[i] = Access::loc(*operand);
  }
  // So does a target of another store: it is bound anew, first with its old value if that counts.
  if constexpr (readsTarget<L>())
    requireValid(target);
  if (target.is_valid() && !inStore(store.id, Access::store(target))) {
    if constexpr (readsTarget<L>())
      target = adouble(target.value());
    else
      target = Access::invalid();
  }
  if (!target.is_valid())
    takeLocation(target, store);

  const auto constants = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<double, numConsts>{consts[I]...};
  }(std::make_index_sequence<numConsts>{});
  if (ValueTape *const tape = readyTape()) {
    append<Op>(*tape, store, locs, constants, Access::loc(target));
  } else {
    const auto x = operandValues<L>(store.values, locs, constants, Access::loc(target));
    store.values[Access::loc(target)] = ADOLC_CALL_RULE(Rule, value, x);
  }
}

using SlowRecorder = void (*)(const adouble *const *, const double *, adouble &);

template <OPCODES Op> constexpr SlowRecorder slowRecorder() {
  if constexpr (Op == assign_p) // reads a parameter: see activeParameter
    return nullptr;
  else
    return &recordAnywhere<Op>;
}

constexpr std::array<SlowRecorder, kNumOpcodes> slowRecorders = [] {
  std::array<SlowRecorder, kNumOpcodes> table{};
#define ADOLC_OP(op, rule, layout, depend, text) table[op] = slowRecorder<op>();
#include <adolc/internal/oplist_expand.h>
  return table;
}();

} // namespace

void recordSlow(OPCODES op, const adouble *const *args, const double *consts, adouble &target) {
  slowRecorders[op](args, consts, target);
}

namespace {

/// A structural operation with one location: markers.
void appendMarker(OPCODES op, ValueTape &tape, Store &store, std::uint32_t loc, bool overwrites) {
  ValueTape::Recorder &r = tape.recorder;
  unsigned save = 0;
  if (overwrites) {
    save = store.needed[loc];
    store.needed[loc] = 0;
    if (r.tay != nullptr) {
      *r.tay = store.values[loc];
      r.tay += save;
    }
  }
  *r.op++ = opCell(op, save);
  *r.loc++ = loc;
}

/// The operation that stores a parameter in a location.
void appendParameter(ValueTape &tape, Store &store, std::size_t index, std::uint32_t loc) {
  *tape.recorder.loc++ = static_cast<LocCell>(index);
  appendMarker(assign_p, tape, store, loc, true);
}

adouble activeParameter(Store &store, std::size_t index) {
  if (index >= store.parameterValues.size())
    fail(ErrorType::PARAM_OOB, CURRENT_LOCATION,
         {.info1 = presentTapeId(), .info5 = index, .info6 = store.parameterValues.size()});
  adouble result = Access::invalid();
  takeLocation(result, store);
  if (ValueTape *const tape = readyTape())
    appendParameter(*tape, store, index, Access::loc(result));
  store.values[Access::loc(result)] = store.parameterValues[index];
  return result;
}

// ── comparisons ─────────────────────────────────────────────────────────────────────────────────

bool holds(Relation relation, double x, double y) {
  switch (relation) {
  case Relation::equal: return x == y;
  case Relation::notEqual: return x != y;
  case Relation::less: return x < y;
  case Relation::lessEqual: return x <= y;
  case Relation::greater: return x > y;
  case Relation::greaterEqual: return x >= y;
  }
  return false;
}
Relation negated(Relation relation) {
  switch (relation) {
  case Relation::equal: return Relation::notEqual;
  case Relation::notEqual: return Relation::equal;
  case Relation::less: return Relation::greaterEqual;
  case Relation::lessEqual: return Relation::greater;
  case Relation::greater: return Relation::lessEqual;
  case Relation::greaterEqual: return Relation::less;
  }
  return relation;
}
OPCODES zeroOpcode(Relation relation) {
  switch (relation) {
  case Relation::equal: return eq_zero;
  case Relation::notEqual: return neq_zero;
  case Relation::less: return lt_zero;
  case Relation::lessEqual: return le_zero;
  case Relation::greater: return gt_zero;
  case Relation::greaterEqual: return ge_zero;
  }
  return ignore_me;
}

/// A location of the current store with the value of `a`: its own, or that of a constant.
class LocalOperand {
public:
  explicit LocalOperand(const adouble &a) : copy_(Access::invalid()) {
    requireValid(a);
    if (inStore(presentStore().id, Access::store(a))) {
      loc_ = Access::loc(a);
    } else {
      copy_ = a.value();
      loc_ = Access::loc(copy_);
    }
  }
  LocCell loc() const { return loc_; }

private:
  adouble copy_;
  LocCell loc_;
};

void appendBranch(ValueTape &tape, OPCODES op, bool outcome, std::initializer_list<LocCell> locs,
                  bool unordered = false) {
  ValueTape::Recorder &r = tape.recorder;
  *r.op++ = static_cast<OpCell>(opCell(op, 0, outcome) | (unordered ? kUnorderedBit : 0u));
  for (const LocCell loc : locs) {
    *r.loc++ = loc;
    tape.activeStore().needed[loc] = 1; // a reverse sweep tells whether the point is on the boundary
  }
}

} // namespace

bool compare(Relation relation, const adouble &a, const adouble &b) {
  const LocalOperand x(a), y(b);
  const double *const values = presentStore().values;
  const bool outcome = holds(relation, values[x.loc()], values[y.loc()]);
  if (ValueTape *const tape = readyTape()) {
    // Three operations serve all six relations: a > b is b < a, a != b is not a == b.
    const bool swapped = relation == Relation::greater || relation == Relation::greaterEqual;
    const bool isEqual = relation == Relation::equal || relation == Relation::notEqual;
    const bool strict = relation == Relation::less || relation == Relation::greater;
    const OPCODES op = isEqual ? branch_eq_a_a : strict ? branch_lt_a_a : branch_le_a_a;
    const LocCell first = swapped ? y.loc() : x.loc(), second = swapped ? x.loc() : y.loc();
    appendBranch(*tape, op, outcome != (relation == Relation::notEqual), {first, second});
  }
  return outcome;
}

bool compare(Relation relation, const adouble &a, double c) {
  const LocalOperand x(a);
  const double value = presentStore().values[x.loc()];
  const bool outcome = holds(relation, value, c);
  if (ValueTape *const tape = readyTape()) {
    if (c == 0.0) {
      // The relation that is true is the one that is recorded; with NaN none may be. That x > 0 is
      // false is recorded as x <= 0, but it stays false for NaN.
      const Relation inverse = negated(relation);
      const bool inverseHolds = holds(inverse, value, 0.0);
      appendBranch(*tape, zeroOpcode(inverseHolds ? inverse : relation), inverseHolds || outcome,
                   {x.loc()}, inverseHolds && relation != Relation::notEqual);
    } else {
      constexpr OPCODES ops[] = {branch_eq_a_d, branch_eq_a_d, branch_lt_a_d,
                                 branch_le_a_d, branch_gt_a_d, branch_ge_a_d};
      *tape->recorder.val++ = c;
      appendBranch(*tape, ops[static_cast<int>(relation)],
                   outcome != (relation == Relation::notEqual), {x.loc()});
    }
  }
  return outcome;
}

adouble indicate(Relation relation, const adouble &a, const adouble &b) {
  switch (relation) {
  case Relation::equal: return binary<eq_a_a>(a, b);
  case Relation::notEqual: return binary<neq_a_a>(a, b);
  case Relation::less: return binary<lt_a_a>(a, b);
  case Relation::lessEqual: return binary<le_a_a>(a, b);
  case Relation::greater: return binary<gt_a_a>(a, b);
  case Relation::greaterEqual: return binary<ge_a_a>(a, b);
  }
  return {};
}

} // namespace ADOLC::detail

namespace ADOLC::detail {

std::uint32_t presentStoreId() { return presentStore().id; }

std::size_t newLocation(bool isParameter) {
  Store &store = presentStore();
  return isParameter ? store.addParameter(0.0, false) : store.allocate();
}

void giveBackLocation(std::uint32_t id, std::size_t loc) noexcept {
  Store *const mine =
      currentTapeSlot != nullptr ? &currentTapeSlot->activeStore() : Store::threadDefaultIfAny();
  if (mine != nullptr && mine->id == id)
    mine->free(static_cast<std::uint32_t>(loc));
  else if (Store *const store = Store::find(id))
    store->returnLocation(static_cast<std::uint32_t>(loc));
}

} // namespace ADOLC::detail

using namespace ADOLC::detail;

// ── handles ─────────────────────────────────────────────────────────────────────────────────────

void adouble::requireValid() const { ADOLC::detail::requireValid(*this); }

void adouble::takeLocation() { ADOLC::detail::takeLocation(*this, presentStore()); }

adouble adouble::borrow_location(std::size_t loc) {
  const Store &store = presentStore();
  if (loc >= store.capacity())
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = -1});
  return adouble(static_cast<std::uint32_t>(loc), store.id | kBorrowed);
}

std::size_t adouble::release_loc() {
  requireValid();
  store_ = 0;
  return loc_;
}

double *adouble::valueCell() const {
  requireValid();
  Store &present = presentStore();
  if (inStore(present.id, store_))
    return present.values + loc_;
  Store *const store = Store::find(store_ & kStoreIdMask);
  if (store == nullptr || loc_ >= store->capacity()) // a borrowed handle that outlived its store
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = -1});
  return store->values + loc_;
}

void adouble::freeForeign() noexcept {
  if ((store_ & kBorrowed) == 0)
    giveBackLocation(store_ & kStoreIdMask, loc_);
}

/// The source keeps its location, which belongs to a contiguous block; this becomes a copy.
void adouble::movePinned(adouble &source) noexcept {
  store_ = 0;
  try {
    assignCopy(source);
  } catch (...) {
    // No room for a copy: give up contiguity rather than the value.
    loc_ = source.loc_;
    store_ = std::exchange(source.store_, 0u);
  }
}

void adouble::moveAssignSlow(adouble &a) noexcept {
  if (this == &a)
    return;
  try {
    if (a.is_valid()) {
      *this = std::as_const(a);
      return;
    }
  } catch (...) {
    // as in movePinned
  }
  if (store_ != 0)
    freeLocation();
  loc_ = a.loc_;
  store_ = std::exchange(a.store_, 0u);
}

// ── markers ─────────────────────────────────────────────────────────────────────────────────────

void adouble::declareIndependent() {
  Store &store = presentStore();
  requireValid(); // its value is kept
  if (!inStore(store.id, store_))
    *this = adouble(value());
  if (ValueTape *const tape = readyTape()) {
    appendMarker(assign_ind, *tape, store, loc_, true);
    tape->countIndependent();
  }
}

adouble &adouble::operator<<=(double v) {
  Store &store = presentStore();
  if (!is_valid() || !inStore(store.id, store_)) {
    if (store_ != 0)
      freeLocation();
    store_ = 0;
    takeLocation();
  }
  if (ValueTape *const tape = readyTape()) {
    appendMarker(assign_ind, *tape, store, loc_, true);
    tape->countIndependent();
  }
  store.values[loc_] = v;
  return *this;
}

void adouble::declareDependent() {
  const LocalOperand y(*this);
  if (ValueTape *const tape = readyTape()) {
    appendMarker(assign_dep, *tape, presentStore(), y.loc(), false);
    tape->countDependent();
  }
}

adouble &adouble::operator>>=(double &v) {
  declareDependent();
  v = value();
  return *this;
}

void operator<<=(std::span<adouble> x, std::span<const double> v) {
  if (x.size() != v.size())
    fail(ErrorType::SIZE_MISMATCH, CURRENT_LOCATION,
         {.info1 = presentTapeId(), .info5 = x.size(), .info6 = v.size()});
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] <<= v[i];
}

void operator>>=(std::span<adouble> y, std::span<double> v) {
  if (y.size() != v.size())
    fail(ErrorType::SIZE_MISMATCH, CURRENT_LOCATION,
         {.info1 = presentTapeId(), .info5 = y.size(), .info6 = v.size()});
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] >>= v[i];
}

// ── parameters ──────────────────────────────────────────────────────────────────────────────────

pdouble::pdouble(double value) {
  Store &store = presentStore();
  index_ = store.addParameter(value, true);
  store_ = store.id;
}

pdouble &pdouble::operator=(pdouble &&other) noexcept {
  if (this != &other) {
    release();
    index_ = other.index_;
    store_ = std::exchange(other.store_, 0u);
  }
  return *this;
}

void pdouble::release() noexcept {
  if (Store *const store = store_ != 0 ? Store::find(store_) : nullptr)
    store->releaseParameter(index_);
}

pdouble::operator adouble() const {
  Store &store = presentStore();
  if (store.id != store_)
    fail(ErrorType::PARAM_OOB, CURRENT_LOCATION,
         {.info1 = presentTapeId(), .info5 = index_, .info6 = store.parameterValues.size()});
  return activeParameter(store, index_);
}

double pdouble::value() const {
  const Store *const store = Store::find(store_);
  if (store_ == 0 || store == nullptr)
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = -1});
  return store->parameterValues[index_];
}

void pdouble::value(double v) {
  Store *const store = Store::find(store_);
  if (store_ == 0 || store == nullptr)
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = -1});
  store->parameterValues[index_] = v;
}

locint mkparam_idx(double value) { return presentStore().addParameter(value, false); }
adouble mkparam(double value) { return activeParameter(presentStore(), mkparam_idx(value)); }
adouble getparam(locint index) { return activeParameter(presentStore(), index); }

// ── functions ───────────────────────────────────────────────────────────────────────────────────

#define ADOLC_OP(op, rule, layout, depend, text)
#define ADOLC_FN(op, name, rule, layout, depend, text)                                             \
  adouble name(const adouble &a) { return unary<op>(a); }                                          \
  adouble name(adouble &&a) { return unaryReuse<op>(a); }
#include <adolc/internal/oplist_expand.h>

adouble fabs(const adouble &a) {
  adouble result = unary<abs_val>(a);
  if (ValueTape *const tape = currentTapeSlot; tape != nullptr && tape->streamsOpen())
    tape->countSwitch();
  return result;
}

adouble ldexp(const adouble &a, int e) { return scalar<ldexp_op>(a, e); }

adouble frexp(const adouble &a, int *e) {
  int exponent = 0;
  std::frexp(a.value(), &exponent);
  *e = exponent;
  return ldexp(a, -exponent);
}

adouble modf(const adouble &a, adouble *integral) {
  *integral = trunc(a);
  return std::isinf(a.value()) ? adouble(std::copysign(0.0, a.value())) : a - *integral;
}

adouble quadrature(const adouble &x, double value, const adouble &integrand) {
  return Access::fresh<gen_quad>(Args<2>{&x, &integrand}, Consts<2>{value, x.value()});
}

namespace {
bool throughAbs() {
  const ValueTape *const tape = currentTapeSlot;
  return tape != nullptr && tape->streamsOpen() && tape->recording().minMaxAsAbs;
}
} // namespace

adouble fmin(const adouble &a, const adouble &b) {
  return throughAbs() ? 0.5 * (a + b - fabs(a - b)) : binary<min_op>(a, b);
}
adouble fmax(const adouble &a, const adouble &b) {
  return throughAbs() ? 0.5 * (a + b + fabs(a - b)) : binary<max_op>(a, b);
}
adouble fmin(const adouble &a, double c) {
  return throughAbs() ? 0.5 * (a + c - fabs(a - c)) : scalar<min_op_d>(a, c);
}
adouble fmax(const adouble &a, double c) {
  return throughAbs() ? 0.5 * (a + c + fabs(a - c)) : scalar<max_op_d>(a, c);
}

adouble pow(const adouble &a, double exponent) { return scalar<pow_op>(a, exponent); }
adouble pow(double base, const adouble &exponent) {
  if (base < 0.0)
    fail(ErrorType::NONPOSITIVE_BASIS, CURRENT_LOCATION, {.info1 = presentTapeId()});
  return scalar<pow_d_a>(exponent, base);
}
adouble pow(const adouble &a, const adouble &exponent) { return binary<pow_a_a>(a, exponent); }
adouble atan2(const adouble &y, const adouble &x) { return binary<atan2_op>(y, x); }
adouble hypot(const adouble &a, const adouble &b) { return binary<hypot_op>(a, b); }
adouble hypot(const adouble &a, const adouble &b, const adouble &c) {
  return Access::fresh<hypot3_op>(Args<3>{&a, &b, &c}, Consts<0>{});
}
adouble fma(const adouble &a, const adouble &b, const adouble &c) {
  return Access::fresh<fma_op>(Args<3>{&a, &b, &c}, Consts<0>{});
}
adouble fmod(const adouble &a, const adouble &b) { return binary<fmod_op>(a, b); }
adouble remainder(const adouble &a, const adouble &b) { return binary<remainder_op>(a, b); }
adouble copysign(const adouble &a, const adouble &sign) { return binary<copysign_op>(a, sign); }
adouble fdim(const adouble &a, const adouble &b) { return binary<fdim_op>(a, b); }

void condassign(adouble &result, const adouble &condition, const adouble &a, const adouble &b) {
  Access::assign<cond_assign>(result, Args<3>{&condition, &a, &b}, Consts<0>{});
}
void condassign(adouble &result, const adouble &condition, const adouble &a) {
  Access::into<cond_assign_s>(result, Args<2>{&condition, &a}, Consts<0>{});
}
void condeqassign(adouble &result, const adouble &condition, const adouble &a, const adouble &b) {
  Access::assign<cond_eq_assign>(result, Args<3>{&condition, &a, &b}, Consts<0>{});
}
void condeqassign(adouble &result, const adouble &condition, const adouble &a) {
  Access::into<cond_eq_assign_s>(result, Args<2>{&condition, &a}, Consts<0>{});
}

// ── streams ─────────────────────────────────────────────────────────────────────────────────────

std::ostream &operator<<(std::ostream &out, const adouble &a) { return out << a.value() << "(a)"; }

std::istream &operator>>(std::istream &in, adouble &a) {
  double v = 0.0;
  if (in >> v)
    a = v;
  return in;
}
