/** The page the library is given instead of web.whatsapp.com: modules under the names it asks for, and a line to the world. */
import { join } from 'node:path'

let script: Promise<string> | undefined

/** @param line address of the websocket to the world */
export async function buildPageHtml(line: string): Promise<string> {
  script ??= build()
  const head = `<!doctype html><meta charset="utf-8"><title>WhatsApp</title><script>window.LINE=${JSON.stringify(line)}</script>`
  return `${head}<script>${await script}</script>`
}

async function build(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'page/main.ts')],
    target: 'browser',
    format: 'iife',
  })
  const [output] = built.outputs
  if (!output) throw new Error('The page of WhatsApp Web could not be built')
  return (await output.text()).replaceAll('</script', '<\\/script')
}
