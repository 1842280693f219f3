// What a benchmark is: a name, and figures that each stand beside a reference measured in the same run.

/** One measured figure. `aim` is the most it may be (or the least, with `atLeast`); without one the figure is only told. */
export interface Figure {
  readonly label: string
  readonly value: number
  readonly unit: string
  /** Something simpler that does the same work, measured minutes apart on the same machine. */
  readonly reference?: { readonly label: string; readonly value: number; readonly unit?: string }
  readonly aim?: number
  readonly atLeast?: boolean
  /** The most the ratio to the reference may be. */
  readonly ratioAim?: number
}

/** What a run was asked for: `--option=value` words of the command line. */
export type Options = Readonly<Record<string, string>>

export interface Benchmark {
  readonly name: string
  /** What it does, in a line: with the numbers of this run where the options change them. */
  readonly about: string | ((options: Options) => string)
  /** Left out of a run that names nothing, because it takes minutes. */
  readonly onlyByName?: boolean
  readonly run: (options: Options) => Promise<Figure[]>
}

/** A whole number among the options, or what it is without. */
export function readNumberOption(options: Options, name: string, otherwise: number): number {
  const value = Number(options[name] ?? otherwise)
  if (!Number.isFinite(value)) throw new Error(`--${name} must be a number`)
  return value
}

export function computeRatio({ value, reference }: Figure): number | null {
  return reference && reference.value > 0 ? value / reference.value : null
}

/** Whether a figure meets its aims; null when it has none. */
export function isMet(figure: Figure): boolean | null {
  const ratio = computeRatio(figure)
  if (figure.aim === undefined && figure.ratioAim === undefined) return null
  const byValue = figure.aim === undefined || (figure.atLeast ? figure.value >= figure.aim : figure.value <= figure.aim)
  const byRatio = figure.ratioAim === undefined || (ratio !== null && ratio <= figure.ratioAim)
  return byValue && byRatio
}

export function describeBenchmark({ about }: Benchmark, options: Options): string {
  return typeof about === 'string' ? about : about(options)
}
