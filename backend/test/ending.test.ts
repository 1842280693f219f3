import { expect, test } from 'bun:test'
import { join } from 'node:path'

const ENDING = join(import.meta.dir, '../src/platform/ending.ts')

test('told twice of one Ctrl+C, by terminal and parent, a program ends politely, with 128 and the number of the signal', async () => {
  const child = program('async () => { await Bun.sleep(200); console.log("polite") }')
  await child.ready()
  child.kill('SIGINT')
  child.kill('SIGTERM')
  expect(await child.rest()).toContain('polite')
  expect(await child.exited).toBeOneOf([130, 143])
})

test('work that fails at the end is told and ends with 1', async () => {
  const child = program('async () => { throw new Error("the disk is gone") }')
  await child.ready()
  child.kill('SIGINT')
  expect(await child.exited).toBe(1)
})

test('who insists later ends at once what cannot end', async () => {
  const child = program('() => new Promise(() => {})')
  await child.ready()
  child.kill('SIGINT')
  const insisting = setInterval(() => child.kill('SIGINT'), 200)
  expect(await child.exited).toBe(1)
  clearInterval(insisting)
})

test('from within it ends with the status it is given', async () => {
  expect(await program('() => setTimeout(() => end(1)) && Promise.resolve()', 'end(143)').exited).toBe(143)
})

test('a part of it that ends late is nobody who insists', async () => {
  const child = program('async () => { await Bun.sleep(1500); end(143); await Bun.sleep(100); console.log("polite") }')
  await child.ready()
  child.kill('SIGINT')
  expect(await child.rest()).toContain('polite')
  expect(await child.exited).toBe(130)
})

/** A program that waits, with this to do at its end, and this when it has begun. */
function program(work: string, first = '') {
  const code = `const { runOnShutdown } = await import(${JSON.stringify(ENDING)}); const end = runOnShutdown(${work}); setInterval(() => {}, 1000); console.log('ready'); ${first}`
  const child = Bun.spawn([process.execPath, '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
  const reader = child.stdout.getReader()
  return {
    exited: child.exited,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    ready: () => reader.read(),
    async rest(): Promise<string> {
      let text = ''
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return text
        text += new TextDecoder().decode(value)
      }
    },
  }
}
