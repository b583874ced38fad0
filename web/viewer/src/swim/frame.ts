// SPDX-License-Identifier: Apache-2.0

/// A moment of the live swimmer, as docs/server.md describes its bytes.
export interface SwimFrame {
  time: number; // seconds of simulation
  run: number; // counts restarts: do not interpolate across them
  stroke: number;
  pose: number;
  held: [up: number, left: number, roll: number];
  hasTarget: boolean; // placed by a user: keys do not move it
  lostControl: boolean; // this run began because the last one left sane bounds
  aim: Float32Array; // x y z, as all vectors
  centre: Float32Array;
  velocity: Float32Array;
  distance: number; // metres swum
  speed: number; // m/s, mean over a cycle
  power: number; // W, mean over a cycle
  cycles: number;
  origins: Float32Array; // x y z of each segment
  rotations: Float32Array; // x y z w of each
  forces: Float32Array; // N, of the water on each
}

const kVersion = 1;
const kHead = 72;
const kSegment = 26;
const kUnit = 32767; // of a quaternion's numbers
const kNewtons = 0.1; // a unit of force

function vector(view: DataView, at: number): Float32Array {
  return Float32Array.of(view.getFloat32(at, true), view.getFloat32(at + 4, true),
    view.getFloat32(at + 8, true));
}

/// Throws if the bytes are not a valid frame.
export function readFrame(base64: string): SwimFrame {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const count = bytes[1] ?? 0;
  if (bytes[0] !== kVersion || bytes.length !== kHead + count * kSegment) {
    throw new Error('the swimmer’s stream has another version: reload the page');
  }
  const frame: SwimFrame = {
    stroke: view.getUint8(2),
    pose: view.getUint8(3),
    held: [view.getInt8(4), view.getInt8(5), view.getInt8(6)],
    hasTarget: (view.getUint8(7) & 1) !== 0,
    lostControl: (view.getUint8(7) & 2) !== 0,
    run: view.getUint32(8, true),
    aim: vector(view, 12),
    centre: vector(view, 24),
    velocity: vector(view, 36),
    time: view.getFloat64(48, true),
    distance: view.getFloat32(56, true),
    speed: view.getFloat32(60, true),
    power: view.getFloat32(64, true),
    cycles: view.getUint32(68, true),
    origins: new Float32Array(3 * count),
    rotations: new Float32Array(4 * count),
    forces: new Float32Array(3 * count),
  };
  for (let i = 0; i < count; ++i) readSegment(view, kHead + i * kSegment, i, frame);
  return frame;
}

function readSegment(view: DataView, at: number, i: number, frame: SwimFrame): void {
  for (let k = 0; k < 3; ++k) {
    frame.origins[3 * i + k] = view.getFloat32(at + 4 * k, true);
    frame.forces[3 * i + k] = kNewtons * view.getInt16(at + 20 + 2 * k, true);
  }
  for (let k = 0; k < 4; ++k) {
    frame.rotations[4 * i + k] = view.getInt16(at + 12 + 2 * k, true) / kUnit;
  }
}
