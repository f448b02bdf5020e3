// SPDX-License-Identifier: MIT
// The rows with their types erased, one per opcode of the operation table.
#include "op_rows.h"

#include <array>
#include <sstream>
#include <tuple>

namespace rows {
namespace {

#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  static_assert(!RowOf<op>::missing, "op_rows.h has no row for the opcode " #op);
#define ADOLC_BRANCH(op, relation, layout, text)                                                   \
  static_assert(!RowOf<op>::missing, "op_rows.h has no row for the opcode " #op);
#include <adolc/internal/oplist_expand.h>

/// The argument that an operand of the layout is passed as, in a tuple of none or one. `next`
/// counts the stored operands, `nextActive` the active ones.
template <Slot S>
auto argument(const Actives &actives, const Point &at, std::size_t &next, std::size_t &nextActive) {
  if constexpr (isActive(S)) {
    ++next;
    return std::tuple<const adouble &>(*actives[nextActive++]);
  } else if constexpr (S == Slot::Constant) {
    return std::tuple<double>(at.x[next++]);
  } else if constexpr (S == Slot::Param) {
    return std::tuple<pdouble>(pdouble(at.x[next++]));
  } else {
    return std::tuple<>();
  }
}

/// f with active variables.
template <class L, class F> auto callActive(F f, const Actives &actives, const Point &at) {
  std::size_t next = 0, nextActive = 0;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    // Braces: evaluated from left to right.
    std::tuple<decltype(argument<L::slots[I]>(actives, at, next, nextActive))...> arguments{
        argument<L::slots[I]>(actives, at, next, nextActive)...};
    return std::apply(
        [&](auto &...parts) {
          return std::apply(
              [&](const auto &...args) {
                if constexpr (numActive<L>() == 0 && L::count(Slot::Param) == 0)
                  return f.template operator()<adouble>(args...);
                else
                  return f(args...);
              },
              std::tuple_cat(std::move(parts)...));
        },
        arguments);
  }
  (std::make_index_sequence<static_cast<std::size_t>(L::arity)>{});
}

template <OPCODES Op, class L>
void recordOperation(const Actives &actives, const Point &at, adouble &target) {
  using namespace ADOLC::detail;
  constexpr auto numArgs = static_cast<std::size_t>(L::count(Slot::Active));
  constexpr auto numConsts = static_cast<std::size_t>(L::count(Slot::Constant));
  Args<numArgs> args{};
  Consts<numConsts> consts{};
  std::size_t next = 0, nextActive = 0, arg = 0, constant = 0;
  for (const Slot slot : L::slots) {
    if (isActive(slot)) {
      if (slot == Slot::Active)
        args[arg++] = Access::handle(*actives[nextActive]);
      ++nextActive;
    } else if constexpr (numConsts > 0) {
      if (slot == Slot::Constant)
        consts[constant++] = at.x[next];
    }
    next += isStored(slot);
  }
  Access::assign<Op>(target, args, consts);
}

template <OPCODES Op, class L> OpRow makeRow(const char *name) {
  using Row = RowOf<Op>;
  OpRow row{Op, name, {}, {}, false, Row::points(), {}, {}, {}, {}, {}, -1};
  for (const Slot slot : L::slots) {
    if (!isStored(slot))
      continue;
    if (isActive(slot))
      row.active.push_back(row.sources.size());
    if (slot == Slot::Result)
      row.resultOperand = static_cast<int>(row.active.size()) - 1;
    row.sources.push_back(isActive(slot)        ? Source::active
                          : slot == Slot::Param ? Source::parameter
                                                : Source::constant);
  }
  return row;
}

template <OPCODES Op> OpRow elementalRow(const char *name) {
  using Row = RowOf<Op>;
  using L = typename ADOLC::detail::OpTraits<Op>::L;
  OpRow row = makeRow<Op, L>(name);
  row.plain = [](const Point &at) { return callPlain<L>(Row::f, at.x); };
  row.record = [](const Actives &actives, const Point &at) {
    return callActive<L>(Row::f, actives, at);
  };
  row.reference = [](const std::vector<Wide> &x) { return callPlain<L>(Row::d, x); };
  if constexpr (L::count(Slot::Param) == 0)
    row.recordInto = recordOperation<Op, L>;
  return row;
}

template <OPCODES Op, class L> OpRow comparisonRow(const char *name) {
  using Row = RowOf<Op>;
  OpRow row = makeRow<Op, L>(name);
  row.comparison = true;
  row.plain = [](const Point &at) { return callPlain<L>(Row::f, at.x) ? 1.0 : 0.0; };
  row.compare = [](const Actives &actives, const Point &at) {
    return callActive<L>(Row::f, actives, at);
  };
  return row;
}

} // namespace

const std::vector<OpRow> &allRows() {
  static const std::vector<OpRow> table{
#define ADOLC_OP(op, rule, layout, depend, text) elementalRow<op>(#op),
#define ADOLC_BRANCH(op, relation, layout, text)                                                   \
  comparisonRow<op, ADOLC::ops::layouts::layout>(#op),
#include <adolc/internal/oplist_expand.h>
  };
  return table;
}

std::vector<Point> OpRow::points() const {
  std::vector<Point> all;
  for (const Points &group : groups)
    all.insert(all.end(), group.points.begin(), group.points.end());
  return all;
}

std::vector<Point> OpRow::points(Kind kind) const {
  std::vector<Point> all;
  for (const Points &group : groups)
    if (group.kind == kind)
      all.insert(all.end(), group.points.begin(), group.points.end());
  return all;
}

bool OpRow::sameConstants(const Point &a, const Point &b) const {
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (sources[i] != Source::active &&
        std::bit_cast<std::uint64_t>(a.x[i]) != std::bit_cast<std::uint64_t>(b.x[i]))
      return false;
  return true;
}

std::string text(const Point &point) {
  std::ostringstream out;
  out.precision(17);
  out << '(';
  for (std::size_t i = 0; i < point.x.size(); ++i)
    out << (i == 0 ? "" : ", ") << point.x[i];
  out << ')';
  return out.str();
}

} // namespace rows
