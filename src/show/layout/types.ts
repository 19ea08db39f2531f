/** What is laid out: boxes in columns, lines between them. All lengths in pixels. */
export interface Drawing {
  readonly columns: readonly (readonly DrawingBox[])[];
  readonly lines: readonly Line[];
  /** Ends of lines that stand for all boxes of a column. */
  readonly gates: readonly Gate[];
  /** Left free at the top of each column. */
  readonly captionHeight: number;
}

/** A column's left side, where lines to all of its boxes end, or its right side, where those from all of them begin. */
export interface Gate {
  readonly id: string;
  readonly column: number;
  readonly side: 'in' | 'out';
}

/** A box has a size of its own, or takes that of the drawing inside it, below a head. */
export interface DrawingBox {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly inside?: Drawing | undefined;
}

/** From the right side of a box, or a gate, to the left side of one in a later column. */
export interface Line {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

/** A drawing in place; everything is measured from the same corner, the drawing's own top left. */
export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  /** Each column's band, from the drawing's top to its bottom. */
  readonly bands: readonly Rectangle[];
  readonly lines: readonly PlacedLine[];
}

export interface PlacedBox extends Rectangle {
  readonly id: string;
  /** Measured from the box's corner. */
  readonly inside?: (Placed & Point) | undefined;
}

export interface PlacedLine extends Line {
  readonly points: readonly Point[];
}

/** What a column holds. */
export interface Item {
  readonly key: string;
  /** Undefined for a lane: a line that passes the column. */
  readonly box?: PlacedBox | undefined;
  readonly height: number;
}

/** Lengths between things. */
export const space = { between: 14, aroundColumn: 12, betweenColumns: 56, inBox: 12, lane: 10 } as const;
