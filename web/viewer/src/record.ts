// SPDX-License-Identifier: Apache-2.0

const kTypes = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

/// The canvas as a WebM film.
export class Recorder {
  private recorder: MediaRecorder | null = null;
  private begun = 0;

  get running(): boolean {
    return this.recorder !== null;
  }

  get seconds(): number {
    return this.recorder ? (performance.now() - this.begun) / 1000 : 0;
  }

  /// Throws if the browser cannot record.
  start(canvas: HTMLCanvasElement, done: (film: Blob) => void): void {
    const type = typeof MediaRecorder === 'undefined'
      ? undefined
      : kTypes.find((candidate) => MediaRecorder.isTypeSupported(candidate));
    if (!type) throw new Error('this browser cannot record WebM; Chrome and Firefox can');
    const pieces: Blob[] = [];
    const stream = canvas.captureStream(60);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12e6 });
    recorder.ondataavailable = (event) => {
      if (event.data.size > 0) pieces.push(event.data);
    };
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      done(new Blob(pieces, { type: 'video/webm' }));
    };
    recorder.start(250);
    this.recorder = recorder;
    this.begun = performance.now();
  }

  stop(): void {
    this.recorder?.stop();
    this.recorder = null;
  }
}
