// SPDX-License-Identifier: Apache-2.0

/// Data sent to the GPU per frame, counted at the calls: their number and bytes.
export class UploadCounter {
  calls = 0;
  bytes = 0;

  constructor(gl: WebGL2RenderingContext) {
    const count = (data: unknown): void => {
      ++this.calls;
      if (ArrayBuffer.isView(data)) this.bytes += data.byteLength;
    };
    for (const name of ['bufferData', 'bufferSubData'] as const) {
      const place = name === 'bufferData' ? 1 : 2;
      wrap(gl, name, (given) => count(given[place]));
    }
    for (const name of ['texImage2D', 'texSubImage2D', 'texImage3D', 'texSubImage3D'] as const) {
      wrap(gl, name, (given) => {
        const data = given.find(ArrayBuffer.isView);
        if (data) count(data);
      });
    }
  }

  reset(): void {
    this.calls = this.bytes = 0;
  }
}

type Call = (...given: unknown[]) => unknown;

function wrap(gl: WebGL2RenderingContext, name: string, before: (given: unknown[]) => void): void {
  const table = gl as unknown as Record<string, Call>;
  const original = (table[name] as Call).bind(gl);
  table[name] = (...given: unknown[]): unknown => {
    before(given);
    return original(...given);
  };
}

interface TimerExtension {
  TIME_ELAPSED_EXT: number;
  GPU_DISJOINT_EXT: number;
}

/// GPU milliseconds, a few frames late; null if the browser does not report them.
export class GpuTimer {
  milliseconds: number | null = null;
  private extension: TimerExtension | null = null;
  private running: WebGLQuery | null = null;
  private readonly waiting: WebGLQuery[] = [];
  private readonly free: WebGLQuery[] = [];

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.restore();
  }

  /// After a lost context its queries are invalid.
  restore(): void {
    this.extension = this.gl.getExtension('EXT_disjoint_timer_query_webgl2') as
      TimerExtension | null;
    this.running = null;
    this.waiting.length = this.free.length = 0;
  }

  begin(): void {
    if (!this.extension || this.waiting.length > 4) return;
    this.running = this.free.pop() ?? this.gl.createQuery();
    if (this.running) this.gl.beginQuery(this.extension.TIME_ELAPSED_EXT, this.running);
  }

  end(): void {
    const { gl, extension } = this;
    if (!extension) return;
    if (this.running) {
      gl.endQuery(extension.TIME_ELAPSED_EXT);
      this.waiting.push(this.running);
      this.running = null;
    }
    const first = this.waiting[0];
    if (!first || !gl.getQueryParameter(first, gl.QUERY_RESULT_AVAILABLE)) return;
    const disjoint = gl.getParameter(extension.GPU_DISJOINT_EXT) as boolean;
    if (!disjoint) {
      const nanoseconds = gl.getQueryParameter(first, gl.QUERY_RESULT) as number;
      this.milliseconds = nanoseconds / 1e6;
    }
    this.waiting.shift();
    this.free.push(first);
  }
}
