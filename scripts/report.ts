// What a run of `bun test` wrote down in JUnit's form.

export interface Report {
  readonly passed: number
  readonly failed: number
  readonly times: readonly { readonly test: string; readonly seconds: number }[]
}

/** A run that never began has nothing to tell. */
export async function readReport(path: string): Promise<Report> {
  const file = Bun.file(path)
  const text = (await file.exists()) ? await file.text() : ''
  const head = /<testsuites[^>]*>/.exec(text)?.[0] ?? ''
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = count('failures')
  return {
    passed: count('tests') - count('skipped') - failed,
    failed,
    times: [...text.matchAll(/<testcase name="([^"]*)" [^>]*?time="([\d.]+)" file="([^"]*)"/g)].map(
      ([, name = '', seconds, file = '']) => ({ test: `${file}: ${inWords(name)}`, seconds: Number(seconds) }),
    ),
  }
}

function inWords(xml: string): string {
  return xml.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof SIGNS) => SIGNS[name])
}
const SIGNS = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
