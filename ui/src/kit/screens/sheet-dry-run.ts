/** What would come of a sheet, before anything is written. */
export interface SheetDryRun {
  readonly heads: readonly string[]
  /** The first rows, as they stand in the sheet. */
  readonly sample: readonly (readonly string[])[]
  /** Which of our columns each head is; null leaves it out. */
  readonly columns: readonly (string | null)[]
  readonly created: number
  readonly updated: number
  readonly same: number
  readonly wrong: number
  readonly faults: readonly SheetFault[]
  /** Rows below the heading, where it is told. */
  readonly total?: number
}

/** What is wrong with a line; where and how it stands there, where it is told. */
export interface SheetFault {
  readonly line: number
  readonly text: string
  readonly field?: string
  readonly value?: string
  /** Whether the heading is what is wrong: then no row was looked at. */
  readonly isHeading?: boolean
}
