/// The out-of-line half of the active types: functions, comparisons, markers, and everything that
/// the inline fast path does not handle.
#include <adolc/adtb_types.h>

#include <array>
#include <istream>
#include <mutex>
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

void requireValid(Handle h) {
  if (!h.valid())
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = presentTapeId()});
}

Handle freshHandle(Store &store) {
  const std::uint64_t flag = store.reserved != 0 ? kPinnedBit : 0;
  return {store.idTag() | flag | store.allocateNext()};
}

/// A value that is set while the recording on the store is not selected is a constant for it.
void setUnrecorded(Store &store, LocCell loc, double value) {
  if (store.isRecorded())
    if (ValueTape *const tape = ValueTape::openOn(store)) {
      if (tape->recorder.op == tape->recorder.opLimit)
        tape->nextSegment();
      append<assign_d>(*tape, store, std::array<LocCell, 0>{}, std::array{value}, loc);
      return;
    }
  store.values[loc] = value;
}

/// The store with this id if the calling thread works on it now.
Store *ownStore(StoreId id) noexcept {
  Store *const mine =
      currentTapeSlot != nullptr ? &currentTapeSlot->activeStore() : Store::threadDefaultIfAny();
  return mine != nullptr && mine->id == id ? mine : nullptr;
}

/// Frees a handle's location wherever its store is.
void release(Handle h) noexcept {
  if (!h.valid() || h.borrowed())
    return;
  if (Store *const mine = ownStore(h.store()))
    h.pinned() ? mine->freePinned(h.loc()) : mine->free(h.loc());
  else if (Store *const store = Store::find(h.store()))
    store->returnLocation(h.loc());
}

/// The store of a variable.
Store &storeOf(Handle h) {
  requireValid(h);
  Store &present = presentStore();
  if (inStore(h, present))
    return present;
  Store *const store = Store::find(h.store());
  if (store == nullptr) // a borrowed handle outlived its store
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = -1});
  return *store;
}

/// Reads or writes the value of a variable, whatever its store. The thread that uses the store may
/// be moving it to a larger place.
template <class Use> void withValueOf(Handle h, Use &&use) {
  Store &store = storeOf(h);
  const auto lock = &store == &presentStore() ? std::unique_lock<std::mutex>() : store.lockValues();
  if (h.loc() >= store.capacity())
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = -1});
  use(store.values[h.loc()]);
}
double valueOf(Handle h) {
  double result = 0.0;
  withValueOf(h, [&result](double value) { result = value; });
  return result;
}

/// A location of the present store with the value of a variable: its own, or that of a constant.
class LocalOperand {
public:
  explicit LocalOperand(Handle h) : copy_(Access::make({})) {
    requireValid(h);
    if (!inStore(h, presentStore())) {
      copy_ = valueOf(h);
      h = Access::handle(copy_);
    }
    loc_ = h.loc();
  }
  LocCell loc() const { return loc_; }

private:
  adouble copy_;
  LocCell loc_;
};

/// A result in a reserved location: the move construction that follows, if one does, makes the
/// element of it.
void noteUnnamed(Store &store, Handle result) {
  store.unnamed = result.pinned() ? result.bits : 0;
  store.unnamedSince = currentTapeSlot != nullptr ? currentTapeSlot->recorder.op : nullptr;
}
bool isUnnamed(const Store &store, Handle h) {
  return h.bits == store.unnamed &&
         (currentTapeSlot == nullptr || currentTapeSlot->recorder.op == store.unnamedSince);
}

// Cold: a hundred of them would lie between the functions that every recording uses.
template <OPCODES Op>
ADOLC_COLD Handle recordAnywhere(Handle target, const Handle *args, const double *consts) {
  using Rule = typename OpTraits<Op>::Rule;
  using L = typename OpTraits<Op>::L;
  using ADOLC::ops::Slot;
  constexpr std::size_t numArgs = L::count(Slot::Active);
  constexpr std::size_t numConsts = L::count(Slot::Constant);
  constexpr bool readsTarget = L::count(Slot::Result) > 0;
  Store &store = presentStore();

  const auto operands = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<LocalOperand, numArgs>{LocalOperand(args[I])...};
  }
  (std::make_index_sequence<numArgs>{});
  const auto locs = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<LocCell, numArgs>{operands[I].loc()...};
  }
  (std::make_index_sequence<numArgs>{});
  const auto constants = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<double, numConsts>{consts[I]...};
  }
  (std::make_index_sequence<numConsts>{});

  // A target of another store is bound anew, with its old value if that counts. The new location
  // belongs to `result` until everything has succeeded.
  if constexpr (readsTarget)
    requireValid(target);
  const bool rebind = !target.valid() || !inStore(target, store);
  adouble result = Access::make({});
  if (rebind) {
    if (readsTarget)
      result = valueOf(target);
    else
      Access::handle(result) = freshHandle(store);
  }
  const Handle place = rebind ? Access::handle(result) : target;

  if (ValueTape *const tape = readyTape()) {
    append<Op>(*tape, store, locs, constants, place.loc());
  } else {
    const auto x = operandValues<L>(store.values, locs, constants, place.loc());
    setUnrecorded(store, place.loc(), ADOLC_CALL_RULE(Rule, value, x));
  }
  if (rebind) {
    Access::handle(result) = {};
    release(target);
  }
  constexpr bool constructs =
      Op == assign_a || Op == assign_d || Op == assign_d_zero || Op == assign_d_one;
  noteUnnamed(store, !constructs && !target.valid() ? place : Handle{});
  return place;
}

using SlowRecorder = Handle (*)(Handle, const Handle *, const double *);

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

/// By opcode: the operation changes its result in place, as += does.
constexpr std::array<bool, kNumOpcodes> readsTarget = [] {
  std::array<bool, kNumOpcodes> table{};
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  table[op] = OpTraits<op>::L::count(ADOLC::ops::Slot::Result) > 0;
#include <adolc/internal/oplist_expand.h>
  return table;
}();

} // namespace

Handle recordSlow(OPCODES op, Handle target, Handle a0, Handle a1, Handle a2, double c0,
                  double c1) {
  const Handle args[] = {a0, a1, a2};
  const double consts[] = {c0, c1};
  return slowRecorders[op](target, args, consts);
}

Handle recordConsuming(OPCODES op, Handle temporary, Handle target, Handle a0, Handle a1,
                       double c0) {
  // The result takes the temporary's location, if it has no other. A temporary in a reserved
  // location may be about to become the element there.
  adouble freedHere = Access::make(temporary);
  Store &store = presentStore();
  const bool makesOne = !target.valid() && !readsTarget[op];
  if (makesOne && temporary.valid() && !temporary.borrowed() && inStore(temporary, store)) {
    const Handle result = recordSlow(op, temporary, a0, a1, {}, c0);
    Access::handle(freedHere) = {};
    noteUnnamed(store, result);
    return result;
  }
  return recordSlow(op, target, a0, a1, {}, c0);
}

namespace {

/// A parameter of the selected tape.
std::size_t newParameter(Store &store, double value, bool heldByObject) {
  return store.addParameter(value, heldByObject, currentTapeSlot);
}

/// The operation that stores a parameter in a location.
void appendParameter(ValueTape &tape, Store &store, std::size_t index, std::uint32_t loc) {
  tape.noteParameter(index);
  *tape.recorder.val++ = static_cast<double>(index);
  appendMarker(assign_p, tape, store, loc, true);
}

adouble activeParameter(Store &store, std::size_t index) {
  adouble result = Access::make(freshHandle(store));
  const LocCell loc = Access::handle(result).loc();
  const double value = store.parameterValues[index];
  if (ValueTape *const tape = readyTape()) {
    appendParameter(*tape, store, index, loc);
    store.values[loc] = value;
  } else {
    setUnrecorded(store, loc, value);
  }
  return result;
}

// ── comparisons ─────────────────────────────────────────────────────────────────────────────────

bool holds(Relation relation, double x, double y) {
  switch (relation) {
  case Relation::equal:
    return x == y;
  case Relation::notEqual:
    return x != y;
  case Relation::less:
    return x < y;
  case Relation::lessEqual:
    return x <= y;
  case Relation::greater:
    return x > y;
  case Relation::greaterEqual:
    return x >= y;
  }
  return false;
}
Relation negated(Relation relation) {
  switch (relation) {
  case Relation::equal:
    return Relation::notEqual;
  case Relation::notEqual:
    return Relation::equal;
  case Relation::less:
    return Relation::greaterEqual;
  case Relation::lessEqual:
    return Relation::greater;
  case Relation::greater:
    return Relation::lessEqual;
  case Relation::greaterEqual:
    return Relation::less;
  }
  return relation;
}
OPCODES zeroOpcode(Relation relation) {
  switch (relation) {
  case Relation::equal:
    return eq_zero;
  case Relation::notEqual:
    return neq_zero;
  case Relation::less:
    return lt_zero;
  case Relation::lessEqual:
    return le_zero;
  case Relation::greater:
    return gt_zero;
  case Relation::greaterEqual:
    return ge_zero;
  }
  return ignore_me;
}

void appendBranch(ValueTape &tape, OPCODES op, bool outcome, std::initializer_list<LocCell> locs,
                  bool unordered = false) {
  ValueTape::Recorder &r = tape.recorder;
  *r.op++ = static_cast<OpCell>(opCell(op, 0, outcome) | (unordered ? kUnorderedBit : 0u));
  for (const LocCell loc : locs) {
    *r.loc++ = loc;
    // A reverse sweep tells whether the point is on the boundary.
    tape.activeStore().needed[loc] = Needed::yes;
  }
}

} // namespace

bool compare(Relation relation, const adouble &a, const adouble &b) {
  const LocalOperand x(Access::handle(a)), y(Access::handle(b));
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
  const LocalOperand x(Access::handle(a));
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
  case Relation::equal:
    return binary<eq_a_a>(a, b);
  case Relation::notEqual:
    return binary<neq_a_a>(a, b);
  case Relation::less:
    return binary<lt_a_a>(a, b);
  case Relation::lessEqual:
    return binary<le_a_a>(a, b);
  case Relation::greater:
    return binary<gt_a_a>(a, b);
  case Relation::greaterEqual:
    return binary<ge_a_a>(a, b);
  }
  return {};
}

} // namespace ADOLC::detail

namespace ADOLC::detail {

std::uint32_t presentStoreId() { return presentStore().id; }

std::size_t newLocation(bool isParameter) {
  Store &store = presentStore();
  return isParameter ? store.parameterNumber(newParameter(store, 0.0, false))
                     : store.allocateNext();
}

void giveBackLocation(std::uint32_t id, std::size_t loc) noexcept {
  if (loc > Store::kMaxLocations)
    return;
  if (Store *const mine = ownStore(id))
    mine->freeIfLive(static_cast<std::uint32_t>(loc));
  else if (Store *const store = Store::find(id))
    store->returnLocation(static_cast<std::uint32_t>(loc));
}

} // namespace ADOLC::detail

using namespace ADOLC::detail;

// ── handles ─────────────────────────────────────────────────────────────────────────────────────

void adouble::requireValid(Handle h) { ADOLC::detail::requireValid(h); }
adouble::Handle adouble::freshElsewhere() { return freshHandle(presentStore()); }
double adouble::valueElsewhere(Handle h) { return valueOf(h); }
void adouble::setValueOf(Handle h, double v) {
  withValueOf(h, [v](double &value) { value = v; });
}
void adouble::freeElsewhere(Handle h) noexcept { release(h); }

adouble adouble::borrow_location(std::size_t loc) {
  const Store &store = presentStore();
  if (loc >= store.capacity())
    fail(ErrorType::INVALID_ACTIVE_VARIABLE, CURRENT_LOCATION, {.info1 = -1});
  return adouble(Handle{store.idTag() | kBorrowedBit | loc});
}

std::size_t adouble::release_loc() {
  requireValid(h_);
  return std::exchange(h_, Handle{}).loc();
}

/// The source keeps its location, which belongs to a contiguous block; the result is a copy. If
/// there is no room for one, it is a second name of the same variable. A temporary gives its
/// location to the element that is made of it.
adouble::Handle adouble::copyPinned(Handle source) noexcept {
  try {
    if (Store &store = presentStore(); isUnnamed(store, source)) {
      store.unnamed = 0;
      return source;
    }
    return recordSlow(assign_a, {}, source);
  } catch (...) {
    return {source.bits | kBorrowedBit};
  }
}

/// The source stays valid. If there is no room for an assignment, the target becomes a second name
/// of the source.
adouble::Handle adouble::moveFlagged(Handle target, Handle source) noexcept {
  try {
    if (source.valid())
      return recordSlow(assign_a, target, source);
  } catch (...) {
    // below
  }
  release(target);
  return source.valid() ? Handle{source.bits | kBorrowedBit} : source;
}

// ── markers ─────────────────────────────────────────────────────────────────────────────────────

void adouble::declareIndependent() { *this <<= value(); }

/// With no tape recorded, a full segment, or a handle that must be bound anew.
adouble::Handle adouble::markIndependent(Handle h, double v) {
  Store &store = presentStore();
  adouble fresh = Access::make({});
  const bool rebind = !h.valid() || !inStore(h, store);
  if (rebind)
    fresh.h_ = freshHandle(store);
  const Handle place = rebind ? fresh.h_ : h;
  if (ValueTape *const tape = readyTape()) {
    appendMarker(assign_ind, *tape, store, place.loc(), true);
    tape->countIndependent();
    store.values[place.loc()] = v;
  } else {
    setUnrecorded(store, place.loc(), v);
  }
  if (rebind) {
    fresh.h_ = {};
    release(h);
  }
  return place;
}

void adouble::declareDependent() {
  const LocalOperand y(h_);
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
  index_ = newParameter(store, value, true);
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

std::size_t pdouble::loc() const {
  const Store *const store = store_ != 0 ? Store::find(store_) : nullptr;
  return store != nullptr ? store->parameterNumber(index_) : index_;
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

locint mkparam_idx(double value) {
  Store &store = presentStore();
  return store.parameterNumber(newParameter(store, value, false));
}
adouble mkparam(double value) {
  Store &store = presentStore();
  return activeParameter(store, newParameter(store, value, false));
}
adouble getparam(locint index) {
  const Store &store = presentStore();
  const std::size_t found = store.findParameter(currentTapeSlot, index);
  if (found == store.parameterValues.size())
    fail(ErrorType::PARAM_OOB, CURRENT_LOCATION,
         {.info1 = presentTapeId(), .info5 = index, .info6 = store.numParameters(currentTapeSlot)});
  return activeParameter(presentStore(), found);
}

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
  adouble fraction = unary<frac_op>(a); // first, since *integral may be a
  *integral = trunc(a);
  return fraction;
}

adouble quadrature(const adouble &x, double value, const adouble &integrand) {
  return Access::fresh<gen_quad>(both(x, integrand), Consts<2>{value, x.value()});
}

namespace {
Args<3> all(const adouble &a, const adouble &b, const adouble &c) {
  return {Access::handle(a), Access::handle(b), Access::handle(c)};
}
template <OPCODES Op> adouble ternary(const adouble &a, const adouble &b, const adouble &c) {
  return Access::fresh<Op>(all(a, b, c), Consts<0>{});
}

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
  return ternary<hypot3_op>(a, b, c);
}
adouble fma(const adouble &a, const adouble &b, const adouble &c) {
  return ternary<fma_op>(a, b, c);
}
adouble fmod(const adouble &a, const adouble &b) { return binary<fmod_op>(a, b); }
adouble remainder(const adouble &a, const adouble &b) { return binary<remainder_op>(a, b); }
adouble copysign(const adouble &a, const adouble &sign) { return binary<copysign_op>(a, sign); }
adouble fdim(const adouble &a, const adouble &b) { return binary<fdim_op>(a, b); }

void condassign(adouble &result, const adouble &condition, const adouble &a, const adouble &b) {
  Access::assign<cond_assign>(result, all(condition, a, b), Consts<0>{});
}
void condassign(adouble &result, const adouble &condition, const adouble &a) {
  Access::into<cond_assign_s>(result, both(condition, a), Consts<0>{});
}
void condeqassign(adouble &result, const adouble &condition, const adouble &a, const adouble &b) {
  Access::assign<cond_eq_assign>(result, all(condition, a, b), Consts<0>{});
}
void condeqassign(adouble &result, const adouble &condition, const adouble &a) {
  Access::into<cond_eq_assign_s>(result, both(condition, a), Consts<0>{});
}

// ── streams ─────────────────────────────────────────────────────────────────────────────────────

std::ostream &operator<<(std::ostream &out, const adouble &a) { return out << a.value() << "(a)"; }

std::istream &operator>>(std::istream &in, adouble &a) {
  double v = 0.0;
  if (in >> v)
    a = v;
  return in;
}
