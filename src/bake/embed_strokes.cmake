# SPDX-License-Identifier: Apache-2.0
# cmake -DSTROKES="a.toml;b.toml" -DOUTPUT=x.cpp -P embed_strokes.cmake
# writes the table of names and texts that settings/shipped_strokes.cpp searches.
set(TEXT "// Made by src/bake/embed_strokes.cmake from src/bake/strokes.\n")
string(APPEND TEXT "#include \"bake/settings/shipped_strokes.hpp\"\n\nnamespace supple::bake {\n\n")
string(APPEND TEXT "std::span<const ShippedStroke> shipped_stroke_texts() {\n")
string(APPEND TEXT "  static constexpr ShippedStroke kStrokes[] = {\n")
foreach(STROKE ${STROKES})
  cmake_path(GET STROKE STEM NAME)
  file(READ ${STROKE} BODY)
  string(APPEND TEXT "      {\"${NAME}\", R\"toml(${BODY})toml\"},\n")
endforeach()
string(APPEND TEXT "  };\n  return kStrokes;\n}\n\n}  // namespace supple::bake\n")
file(WRITE ${OUTPUT} "${TEXT}")
