// What a run of `bun test` wrote down in JUnit's form.

export interface Failure {
  readonly file: string
  readonly test: string
  /** What was said when it failed. */
  readonly words: string
}

export interface Report {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly Failure[]
  readonly times: readonly { readonly test: string; readonly seconds: number }[]
}

/** A run that never began has nothing to tell. */
export async function readReport(path: string): Promise<Report> {
  const file = Bun.file(path)
  const text = (await file.exists()) ? await file.text() : ''
  const head = /<testsuites[^>]*>/.exec(text)?.[0] ?? ''
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = count('failures')
  const cases = [...text.matchAll(CASE)].map(([, name = '', seconds, file = '', words]) => ({
    file,
    test: inWords(name),
    seconds: Number(seconds),
    words: words === undefined ? undefined : inWords(words).trim(),
  }))
  return {
    passed: count('tests') - count('skipped') - failed,
    failed,
    failures: cases.flatMap(({ file, test, words }) => (words === undefined ? [] : [{ file, test, words }])),
    times: cases.map(({ file, test, seconds }) => ({ test: `${file}: ${test}`, seconds })),
  }
}

/** A case, and what it said if it failed. */
const CASE =
  /<testcase name="([^"]*)" [^>]*?time="([\d.]+)" file="([^"]*)"[^>]*?(?:\/>|>\s*(?:<failure[^>]*>([^<]*)<\/failure>|<failure[^>]*\/>|<skipped[^>]*\/>)?)/g

function inWords(xml: string): string {
  return xml
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof SIGNS) => SIGNS[name])
}
const SIGNS = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
