// SPDX-License-Identifier: Apache-2.0
#pragma once

// No prototypes: nothing may link libGLESv2; it is opened when the first context is created.
#define GL_GLES_PROTOTYPES 0
#include <GLES3/gl31.h>
// The query of elapsed time (GL_EXT_disjoint_timer_query).
#include <GLES2/gl2ext.h>

namespace supple::gpu {

// Type and name of every function that we call. Functions after 3.0 are null in a 3.0 context,
// functions of extensions if the extension is absent.
#define SUPPLE_GL_FUNCTIONS(X)                                               \
  X(PFNGLACTIVETEXTUREPROC, ActiveTexture)                                   \
  X(PFNGLATTACHSHADERPROC, AttachShader)                                     \
  X(PFNGLBEGINQUERYPROC, BeginQuery)                                         \
  X(PFNGLBEGINTRANSFORMFEEDBACKPROC, BeginTransformFeedback)                 \
  X(PFNGLBINDATTRIBLOCATIONPROC, BindAttribLocation)                         \
  X(PFNGLBINDBUFFERPROC, BindBuffer)                                         \
  X(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                                 \
  X(PFNGLBINDBUFFERRANGEPROC, BindBufferRange)                               \
  X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                               \
  X(PFNGLBINDRENDERBUFFERPROC, BindRenderbuffer)                             \
  X(PFNGLBINDSAMPLERPROC, BindSampler)                                       \
  X(PFNGLBINDTEXTUREPROC, BindTexture)                                       \
  X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                               \
  X(PFNGLBLENDEQUATIONPROC, BlendEquation)                                   \
  X(PFNGLBLENDFUNCPROC, BlendFunc)                                           \
  X(PFNGLBLENDFUNCSEPARATEPROC, BlendFuncSeparate)                           \
  X(PFNGLBLITFRAMEBUFFERPROC, BlitFramebuffer)                               \
  X(PFNGLBUFFERDATAPROC, BufferData)                                         \
  X(PFNGLBUFFERSUBDATAPROC, BufferSubData)                                   \
  X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus)                 \
  X(PFNGLCLEARPROC, Clear)                                                   \
  X(PFNGLCLEARBUFFERFVPROC, ClearBufferfv)                                   \
  X(PFNGLCLEARCOLORPROC, ClearColor)                                         \
  X(PFNGLCLEARDEPTHFPROC, ClearDepthf)                                       \
  X(PFNGLCLIENTWAITSYNCPROC, ClientWaitSync)                                 \
  X(PFNGLCOLORMASKPROC, ColorMask)                                           \
  X(PFNGLCOMPILESHADERPROC, CompileShader)                                   \
  X(PFNGLCOPYBUFFERSUBDATAPROC, CopyBufferSubData)                           \
  X(PFNGLCREATEPROGRAMPROC, CreateProgram)                                   \
  X(PFNGLCREATESHADERPROC, CreateShader)                                     \
  X(PFNGLCULLFACEPROC, CullFace)                                             \
  X(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                                   \
  X(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers)                         \
  X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                   \
  X(PFNGLDELETEQUERIESPROC, DeleteQueries)                                   \
  X(PFNGLDELETERENDERBUFFERSPROC, DeleteRenderbuffers)                       \
  X(PFNGLDELETESAMPLERSPROC, DeleteSamplers)                                 \
  X(PFNGLDELETESHADERPROC, DeleteShader)                                     \
  X(PFNGLDELETESYNCPROC, DeleteSync)                                         \
  X(PFNGLDELETETEXTURESPROC, DeleteTextures)                                 \
  X(PFNGLDELETEVERTEXARRAYSPROC, DeleteVertexArrays)                         \
  X(PFNGLDEPTHFUNCPROC, DepthFunc)                                           \
  X(PFNGLDEPTHMASKPROC, DepthMask)                                           \
  X(PFNGLDISABLEPROC, Disable)                                               \
  X(PFNGLDISABLEVERTEXATTRIBARRAYPROC, DisableVertexAttribArray)             \
  X(PFNGLDISPATCHCOMPUTEPROC, DispatchCompute)                               \
  X(PFNGLDRAWARRAYSPROC, DrawArrays)                                         \
  X(PFNGLDRAWARRAYSINSTANCEDPROC, DrawArraysInstanced)                       \
  X(PFNGLDRAWBUFFERSPROC, DrawBuffers)                                       \
  X(PFNGLDRAWELEMENTSPROC, DrawElements)                                     \
  X(PFNGLDRAWELEMENTSINSTANCEDPROC, DrawElementsInstanced)                   \
  X(PFNGLENABLEPROC, Enable)                                                 \
  X(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray)               \
  X(PFNGLENDQUERYPROC, EndQuery)                                             \
  X(PFNGLENDTRANSFORMFEEDBACKPROC, EndTransformFeedback)                     \
  X(PFNGLFENCESYNCPROC, FenceSync)                                           \
  X(PFNGLFINISHPROC, Finish)                                                 \
  X(PFNGLFLUSHPROC, Flush)                                                   \
  X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, FramebufferRenderbuffer)               \
  X(PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D)                     \
  X(PFNGLFRAMEBUFFERTEXTURELAYERPROC, FramebufferTextureLayer)               \
  X(PFNGLFRONTFACEPROC, FrontFace)                                           \
  X(PFNGLGENBUFFERSPROC, GenBuffers)                                         \
  X(PFNGLGENERATEMIPMAPPROC, GenerateMipmap)                                 \
  X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                               \
  X(PFNGLGENQUERIESPROC, GenQueries)                                         \
  X(PFNGLGENRENDERBUFFERSPROC, GenRenderbuffers)                             \
  X(PFNGLGENSAMPLERSPROC, GenSamplers)                                       \
  X(PFNGLGENTEXTURESPROC, GenTextures)                                       \
  X(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays)                               \
  X(PFNGLGETATTRIBLOCATIONPROC, GetAttribLocation)                           \
  X(PFNGLGETERRORPROC, GetError)                                             \
  X(PFNGLGETFLOATVPROC, GetFloatv)                                           \
  X(PFNGLGETINTEGER64VPROC, GetInteger64v)                                   \
  X(PFNGLGETINTEGERVPROC, GetIntegerv)                                       \
  X(PFNGLGETINTERNALFORMATIVPROC, GetInternalformativ)                       \
  X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                           \
  X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                     \
  X(PFNGLGETQUERYOBJECTUIVPROC, GetQueryObjectuiv)                           \
  X(PFNGLGETQUERYOBJECTUI64VEXTPROC, GetQueryObjectui64vEXT)                 \
  X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                             \
  X(PFNGLGETSHADERIVPROC, GetShaderiv)                                       \
  X(PFNGLGETSTRINGPROC, GetString)                                           \
  X(PFNGLGETSTRINGIPROC, GetStringi)                                         \
  X(PFNGLGETUNIFORMBLOCKINDEXPROC, GetUniformBlockIndex)                     \
  X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation)                         \
  X(PFNGLINVALIDATEFRAMEBUFFERPROC, InvalidateFramebuffer)                   \
  X(PFNGLLINKPROGRAMPROC, LinkProgram)                                       \
  X(PFNGLMAPBUFFERRANGEPROC, MapBufferRange)                                 \
  X(PFNGLMEMORYBARRIERPROC, MemoryBarrier)                                   \
  X(PFNGLPIXELSTOREIPROC, PixelStorei)                                       \
  X(PFNGLPOLYGONOFFSETPROC, PolygonOffset)                                   \
  X(PFNGLREADBUFFERPROC, ReadBuffer)                                         \
  X(PFNGLREADPIXELSPROC, ReadPixels)                                         \
  X(PFNGLRENDERBUFFERSTORAGEPROC, RenderbufferStorage)                       \
  X(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC, RenderbufferStorageMultisample) \
  X(PFNGLSAMPLERPARAMETERFPROC, SamplerParameterf)                           \
  X(PFNGLSAMPLERPARAMETERIPROC, SamplerParameteri)                           \
  X(PFNGLSCISSORPROC, Scissor)                                               \
  X(PFNGLSHADERSOURCEPROC, ShaderSource)                                     \
  X(PFNGLTEXIMAGE2DPROC, TexImage2D)                                         \
  X(PFNGLTEXPARAMETERFPROC, TexParameterf)                                   \
  X(PFNGLTEXPARAMETERFVPROC, TexParameterfv)                                 \
  X(PFNGLTEXPARAMETERIPROC, TexParameteri)                                   \
  X(PFNGLTEXSTORAGE2DPROC, TexStorage2D)                                     \
  X(PFNGLTEXSTORAGE3DPROC, TexStorage3D)                                     \
  X(PFNGLTEXSUBIMAGE2DPROC, TexSubImage2D)                                   \
  X(PFNGLTEXSUBIMAGE3DPROC, TexSubImage3D)                                   \
  X(PFNGLTRANSFORMFEEDBACKVARYINGSPROC, TransformFeedbackVaryings)           \
  X(PFNGLUNIFORM1FPROC, Uniform1f)                                           \
  X(PFNGLUNIFORM1FVPROC, Uniform1fv)                                         \
  X(PFNGLUNIFORM1IPROC, Uniform1i)                                           \
  X(PFNGLUNIFORM1UIPROC, Uniform1ui)                                         \
  X(PFNGLUNIFORM2FPROC, Uniform2f)                                           \
  X(PFNGLUNIFORM2FVPROC, Uniform2fv)                                         \
  X(PFNGLUNIFORM2IPROC, Uniform2i)                                           \
  X(PFNGLUNIFORM3FPROC, Uniform3f)                                           \
  X(PFNGLUNIFORM3FVPROC, Uniform3fv)                                         \
  X(PFNGLUNIFORM4FPROC, Uniform4f)                                           \
  X(PFNGLUNIFORM4FVPROC, Uniform4fv)                                         \
  X(PFNGLUNIFORMBLOCKBINDINGPROC, UniformBlockBinding)                       \
  X(PFNGLUNIFORMMATRIX3FVPROC, UniformMatrix3fv)                             \
  X(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv)                             \
  X(PFNGLUNMAPBUFFERPROC, UnmapBuffer)                                       \
  X(PFNGLUSEPROGRAMPROC, UseProgram)                                         \
  X(PFNGLVERTEXATTRIB1FPROC, VertexAttrib1f)                                 \
  X(PFNGLVERTEXATTRIB4FPROC, VertexAttrib4f)                                 \
  X(PFNGLVERTEXATTRIBDIVISORPROC, VertexAttribDivisor)                       \
  X(PFNGLVERTEXATTRIBI4UIPROC, VertexAttribI4ui)                             \
  X(PFNGLVERTEXATTRIBIPOINTERPROC, VertexAttribIPointer)                     \
  X(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer)                       \
  X(PFNGLVIEWPORTPROC, Viewport)

/// OpenGL ES as Context found it: `gl.DrawArrays(...)` is glDrawArrays. The functions act on the
/// context that is current on the calling thread. To use another function, add it to the list.
struct Gl {
#define SUPPLE_GL_MEMBER(type, name) type name = nullptr;
  SUPPLE_GL_FUNCTIONS(SUPPLE_GL_MEMBER)
#undef SUPPLE_GL_MEMBER
};

}  // namespace supple::gpu
