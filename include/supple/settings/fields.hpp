// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/settings/field.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

/// Declares the fields of a struct:
///
///     const Fields<Sheet>& sheet_fields() {
///       static const Fields<Sheet> fields{
///           field<&Sheet::thickness>("thickness", "how thick it is").in("m").range(above(0)),
///           choice<&Sheet::side>("side", {"front", "back"}, "what is drawn"),
///           field<&Sheet::medium, &Medium::density>("density", "of what is around").in("kg/m^3"),
///       };
///       return fields;
///     }
///
/// std::optional members may be left out of a file; double, int, std::size_t, bool, std::string,
/// std::vector<std::string> and vectors of three doubles are read as what they are.
namespace supple::settings {

namespace detail {

template <auto Member>
struct MemberTraits;
template <class S, class T, T S::*Member>
struct MemberTraits<Member> {
  using Owner = S;
  using Type = T;
};

template <auto First, auto... Rest>
auto& reach(auto& settings) {
  if constexpr (sizeof...(Rest) == 0) {
    return settings.*First;
  } else {
    return reach<Rest...>(settings.*First);
  }
}

template <class T>
concept VectorOfThree = requires(T& v) {
  v.data();
  requires T::SizeAtCompileTime == 3;
};
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return Kind::Switch;
  } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::size_t>) {
    return Kind::Whole;
  } else if constexpr (std::is_same_v<T, double>) {
    return Kind::Number;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return Kind::Text;
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return Kind::Texts;
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return Kind::Numbers;
  } else if constexpr (VectorOfThree<T>) {
    return Kind::Vector;
  } else {
    static_assert(
        !requires(const T& list) { list.size(); }, "settings have no lists of this type");
    return Kind::Table;
  }
}

template <class T>
Slot slot_of(T& value) {
  if constexpr (kind_of<T>() == Kind::Vector) {
    return VectorSlot{value.data()};
  } else if constexpr (kind_of<T>() == Kind::Table) {
    return TableSlot{&value};
  } else {
    return &value;
  }
}

template <class T>
constexpr Range usual_range() {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  if constexpr (std::is_same_v<T, int>) return from(-kMost).to(kMost);
  if constexpr (std::is_same_v<T, std::size_t>) return from(0).to(kMost);
  return {};
}

template <class T>
TablesSlot tables_slot(std::vector<T>& list) {
  using List = std::vector<T>;
  return {&list, [](const void* p) { return static_cast<const List*>(p)->size(); },
          [](void* p, std::size_t i) { return static_cast<void*>(&(*static_cast<List*>(p))[i]); },
          [](void* p) { return static_cast<void*>(&static_cast<List*>(p)->emplace_back()); },
          [](void* p) { static_cast<List*>(p)->clear(); }};
}

}  // namespace detail

template <class S>
class Fields;

/// A form that is not simply a member. `make` gives the setting this form and returns what it is to
/// be read into; `view` returns the address of that, null while the setting has another form.
/// Neither may capture anything.
template <class S, class Make, class View>
Form form(Make /*make*/, View /*view*/) {
  using T = std::remove_reference_t<std::invoke_result_t<Make, S&>>;
  Form made;
  made.kind = detail::kind_of<T>();
  made.range = detail::usual_range<T>();
  made.make = [](void* s) { return detail::slot_of(Make{}(*static_cast<S*>(s))); };
  made.view = [](void* s) -> std::optional<Slot> {
    auto* seen = View{}(*static_cast<S*>(s));
    if (seen == nullptr) return {};
    return detail::slot_of(*seen);
  };
  return made;
}

/// The same for a table {key = .., ..} of these fields.
template <class S, class T, class Make, class View>
Form table_form(const Fields<T>& keys, Make make, View view) {
  Form made = form<S>(make, view);
  made.keys = &keys;
  return made;
}

/// The same for a list of tables of these fields, kept in a std::vector.
template <class S, class T, class Make, class View>
Form tables_form(const Fields<T>& keys, Make /*make*/, View /*view*/) {
  Form made;
  made.kind = Kind::Tables;
  made.keys = &keys;
  made.make = [](void* s) -> Slot { return detail::tables_slot(Make{}(*static_cast<S*>(s))); };
  made.view = [](void* s) -> std::optional<Slot> {
    std::vector<T>* seen = View{}(*static_cast<S*>(s));
    if (seen == nullptr) return {};
    return detail::tables_slot(*seen);
  };
  return made;
}

/// An alternative of a std::variant, as a table.
template <auto Member, class T>
Form alternative(const Fields<T>& keys) {
  using S = typename detail::MemberTraits<Member>::Owner;
  return table_form<S>(
      keys, [](S& s) -> T& { return (s.*Member).template emplace<T>(); },
      [](S& s) { return std::get_if<T>(&(s.*Member)); });
}

namespace detail {

template <class S, class Get, class Set>
WordSlot word_slot(void* settings) {
  return {settings,
          [](void* s) -> std::optional<std::size_t> { return Get{}(*static_cast<S*>(s)); },
          [](void* s, std::size_t word) { Set{}(*static_cast<S*>(s), word); }};
}

}  // namespace detail

/// Some words. `get` returns the number of the word that the setting has now, or nothing; `set`
/// takes one.
template <class S, class Get, class Set>
Form word_form(std::vector<std::string> words, Get /*get*/, Set /*set*/) {
  Form made;
  made.kind = Kind::Word;
  made.words = std::move(words);
  made.make = [](void* s) -> Slot { return detail::word_slot<S, Get, Set>(s); };
  made.view = [](void* s) -> std::optional<Slot> {
    const WordSlot slot = detail::word_slot<S, Get, Set>(s);
    if (!slot.get(s)) return {};
    return slot;
  };
  return made;
}

/// A field of S, completed by the calls below.
template <class S>
struct TypedField : Field {
  TypedField(std::string_view name, const std::vector<Form>& ways, std::string_view what) {
    key = name;
    forms = ways;
    description = what;
  }
  TypedField& in(std::string_view of_unit) { return unit = of_unit, *this; }
  TypedField& range(const Range& allowed) { return forms.front().range = allowed, *this; }
  TypedField& explain(std::string_view text) { return details = text, *this; }
  TypedField& default_is(std::string_view words) { return usually = words, *this; }
  TypedField& excludes(std::string_view other) { return instead_of = other, *this; }
  TypedField& must_be_given() { return required = true, *this; }
  TypedField& unless_empty() { return omit_empty = true, *this; }
  TypedField& in_rows() { return rows = true, *this; }
  TypedField& text_checked_by(Result<void> (*checker)(std::string_view)) {
    return forms.front().check_text = checker, *this;
  }
  /// While this holds the key is printed as a comment.
  template <class Holds>
  TypedField& proposed_if(Holds /*holds*/) {
    proposed = [](const void* s) { return Holds{}(*static_cast<const S*>(s)); };
    return *this;
  }
};

/// A member, or a member of a member.
template <auto First, auto... Rest>
auto field(std::string_view key, std::string_view description) {
  using S = typename detail::MemberTraits<First>::Owner;
  using T = std::remove_reference_t<decltype(detail::reach<First, Rest...>(std::declval<S&>()))>;
  Form made;
  if constexpr (detail::kIsOptional<T>) {
    using Inner = typename T::value_type;
    made = form<S>([](S& s) -> Inner& { return detail::reach<First, Rest...>(s).emplace(); },
                   [](S& s) -> Inner* {
                     T& value = detail::reach<First, Rest...>(s);
                     return value ? &*value : nullptr;
                   });
  } else {
    made = form<S>([](S& s) -> T& { return detail::reach<First, Rest...>(s); },
                   [](S& s) { return &detail::reach<First, Rest...>(s); });
  }
  return TypedField<S>(key, {std::move(made)}, description);
}

/// A member of an enumeration (or a bool) whose values 0, 1, .. have these words. Words that are
/// numbers are written without quotes.
template <auto Member>
auto choice(std::string_view key, std::vector<std::string> words, std::string_view description) {
  using S = typename detail::MemberTraits<Member>::Owner;
  using T = typename detail::MemberTraits<Member>::Type;
  return TypedField<S>(
      key,
      {word_form<S>(
          std::move(words), [](const S& s) { return static_cast<std::size_t>(s.*Member); },
          [](S& s, std::size_t word) { s.*Member = static_cast<T>(word); })},
      description);
}

/// Several forms; the first that the setting has is printed.
template <class S>
TypedField<S> forms(std::string_view key, const std::vector<Form>& ways,
                    std::string_view description) {
  return TypedField<S>(key, ways, description);
}

/// A whole number that no member keeps: Fields::completed_by finds it in the table.
template <class S>
TypedField<S> derived_whole(std::string_view key, std::string_view description) {
  Form made;
  made.kind = Kind::Whole;
  made.range = detail::usual_range<std::size_t>();
  made.make = [](void*) { return Slot{}; };
  made.view = [](void*) { return std::optional<Slot>{}; };
  return TypedField<S>(key, {std::move(made)}, description);
}

/// A struct as a table of its own, [key]. It may be optional.
template <auto Member, class T>
auto section(std::string_view key, const Fields<T>& keys, std::string_view description) {
  auto made = field<Member>(key, description);
  made.forms.front().keys = &keys;
  made.section = true;
  return made;
}

/// A struct as a table in a line, key = {..}. It may be optional.
template <auto Member, class T>
auto inline_table(std::string_view key, const Fields<T>& keys, std::string_view description) {
  auto made = section<Member>(key, keys, description);
  made.section = false;
  return made;
}

/// A list of structs, [[key]].
template <auto Member, class T>
auto sections(std::string_view key, const Fields<T>& keys, std::string_view description) {
  using S = typename detail::MemberTraits<Member>::Owner;
  TypedField<S> made(key,
                     {tables_form<S>(
                         keys, [](S& s) -> std::vector<T>& { return s.*Member; },
                         [](S& s) { return &(s.*Member); })},
                     description);
  made.section = true;
  return made;
}

/// The fields of S.
template <class S>
class Fields : public FieldList {
 public:
  Fields(std::initializer_list<TypedField<S>> list) {
    static const S usual{};
    defaults = &usual;
    create = []() -> std::shared_ptr<void> { return std::make_shared<S>(); };
    fields.assign(list.begin(), list.end());
  }

  template <class Title>
  Fields& titled(Title /*title*/) {
    title = [](const void* s) -> std::string { return Title{}(*static_cast<const S*>(s)); };
    return *this;
  }
  template <class Complete>
  Fields& completed_by(Complete /*complete*/) {
    complete = [](void* s, const Value& table) { Complete{}(*static_cast<S*>(s), table); };
    return *this;
  }
  /// Takes the struct and returns a Complaint or nothing.
  template <class Rule>
  Fields& rule(Rule complaint) {
    rules.emplace_back([complaint](const void* s) { return complaint(*static_cast<const S*>(s)); });
    return *this;
  }
  Fields& add(TypedField<S> field) {
    fields.push_back(std::move(field));
    return *this;
  }
  /// Keys that it does not know are left to the caller.
  Fields& leave_open() {
    open = true;
    return *this;
  }
  Fields& rename(std::string_view from, std::string_view to) {
    for (Field& field : fields) {
      if (field.key == from) field.key = to;
    }
    return *this;
  }
  /// The fields of a member, as if they were ours: those named, or all that are not here yet. With
  /// all come its rules.
  template <auto Member, class T>
  Fields& adopt(const Fields<T>& others, std::initializer_list<std::string_view> only = {}) {
    const auto within = [](void* s) -> void* { return &(static_cast<S*>(s)->*Member); };
    for (Field other : others.fields) {
      const bool wanted = only.size() == 0
                              ? find(other.key) == nullptr
                              : std::find(only.begin(), only.end(), other.key) != only.end();
      if (!wanted) continue;
      for (Form& form : other.forms) form.within = within;
      fields.push_back(std::move(other));
    }
    for (const auto& rule : others.rules) {
      if (only.size() > 0) break;
      rules.emplace_back(
          [rule](const void* s) { return rule(&(static_cast<const S*>(s)->*Member)); });
    }
    return *this;
  }

  [[nodiscard]] Result<void> read(const Value& table, std::string_view file, S& settings,
                                  const std::string& path = {}) const {
    return settings::read(*this, table, file, &settings, path);
  }
  [[nodiscard]] Value write(const S& settings) const { return settings::write(*this, &settings); }
  [[nodiscard]] Value write_changed(const S& settings) const {
    return settings::write_changed(*this, &settings);
  }
  [[nodiscard]] Result<void> check(const S& settings) const {
    return settings::check(*this, &settings);
  }
};

}  // namespace supple::settings
