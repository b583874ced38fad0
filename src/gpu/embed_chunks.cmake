# SPDX-License-Identifier: Apache-2.0
# cmake -DCHUNKS="a.glsl;b.comp" -DOUTPUT=x.cpp -P embed_chunks.cmake
# writes the table of names and texts that shader_source.cpp searches.
set(TEXT "// Made by src/gpu/embed_chunks.cmake from runtime/shaders.\n")
string(APPEND TEXT "#include \"gpu/shader_chunks.hpp\"\n\nnamespace supple::gpu {\n\n")
string(APPEND TEXT "std::span<const ShaderChunk> shader_chunks() {\n")
string(APPEND TEXT "  static constexpr ShaderChunk kChunks[] = {\n")
foreach(CHUNK ${CHUNKS})
  cmake_path(GET CHUNK STEM NAME)
  file(READ ${CHUNK} BODY)
  string(APPEND TEXT "      {\"${NAME}\", R\"glsl(${BODY})glsl\"},\n")
endforeach()
string(APPEND TEXT "  };\n  return kChunks;\n}\n\n}  // namespace supple::gpu\n")
file(WRITE ${OUTPUT} "${TEXT}")
