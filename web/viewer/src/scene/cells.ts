// SPDX-License-Identifier: Apache-2.0

/// The visible area: the canvas less the panels, in CSS pixels.
export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/// A part of the canvas with its own view, and the insets of the panels.
export interface Cell {
  left: number;
  top: number;
  width: number;
  height: number;
  insets: Insets;
}

const kWide = 2.2; // above this, four views are in a row, below it two by two

/// Divides the free area evenly; views at an edge extend to the edge of the canvas.
export function divide(count: number, width: number, height: number, insets: Insets): Cell[] {
  const free = {
    width: Math.max(width - insets.left - insets.right, 1),
    height: Math.max(height - insets.top - insets.bottom, 1),
  };
  const rows = count > 3 && free.width < kWide * free.height ? 2 : 1;
  const columns = Math.ceil(count / rows);
  const x = (column: number): number => (column === 0 ? 0 : column === columns ? width
    : Math.round(insets.left + (column * free.width) / columns));
  const y = (row: number): number => (row === 0 ? 0 : row === rows ? height
    : Math.round(insets.top + (row * free.height) / rows));
  return Array.from({ length: count }, (_, i) => {
    const column = i % columns;
    const row = Math.floor(i / columns);
    return {
      left: x(column), top: y(row),
      width: x(column + 1) - x(column), height: y(row + 1) - y(row),
      insets: {
        left: column === 0 ? insets.left : 0,
        right: column === columns - 1 ? insets.right : 0,
        top: row === 0 ? insets.top : 0,
        bottom: row === rows - 1 ? insets.bottom : 0,
      },
    };
  });
}
