// What a server weighs before anything needs its heaviest libraries.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

/** Of what one channel, one kind of file or one device needs; the first alone is a quarter of a server's memory. */
const LATE =
  /node_modules\/(@whiskeysockets\/baileys|mediabunny|jsqr|web-push|whatsapp-web\.js|age-encryption|tar-stream|file-type|entities|pino-pretty)\//

test('a server loads no library of a channel, of files, of films, of push, of pages or of backups before something needs it', async () => {
  const script = `await import('./src/app/server.ts'); console.log(Object.keys(require.cache).join('\\n'))`
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: join(import.meta.dir, '..'), stderr: 'inherit' })
  const loaded = (await new Response(child.stdout).text()).split('\n')
  expect(loaded.filter(path => path.endsWith('/app/server.ts'))).toHaveLength(1)
  expect(loaded.filter(path => LATE.test(path))).toEqual([])
})
