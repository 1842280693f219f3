// What stands in `deploy` and in the page that tells how to install fits together.
import { afterAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const read = (path: string) => Bun.file(join(ROOT, path)).text()
const page = await read('docs/installing.md')
const unit = await read('deploy/balcao@.service')
const compose = await read('deploy/compose.yml')
const image = await read('deploy/Dockerfile')
const example = await read('deploy/env.example')
const home = await mkdtemp(join(tmpdir(), 'balcao-deploy-'))
afterAll(() => rm(home, { recursive: true, force: true }))

test('every folder that the unit and a command by hand need is made by a line of the page, and is the servers’ own', () => {
  const command = page.split('\n').find(line => line.startsWith('balcao-here()')) ?? ''
  const named = [unit, command].flatMap(text => [
    ...findAll(text, /(?:ReadWritePaths=-?|DATA_DIR=)(\/\S+)/g),
    ...findAll(text, /WorkingDirectory=(\/var\/\S+)/g),
    ...findAll(text, /StateDirectory=(\S+)/g).map(name => `/var/lib/${name}`),
  ])
  const made = findAll(page, /^install -d -o balcao -g balcao .*$/gm, 0).flatMap(line => line.split(' '))
  expect(new Set(named)).toEqual(new Set(['/var/lib/balcao', '/var/backups/balcao']))
  expect(named.filter(folder => !made.includes(folder))).toEqual([])
  // On a machine where no server has run yet.
  expect(command).toContain('-p StateDirectory=balcao ')
})

test('what the image can be built with stands in the compose file and in the example of its environment', () => {
  const names = findAll(image, /^ARG (\w+)/gm)
  expect(names.length).toBeGreaterThan(0)
  const built = compose.slice(compose.indexOf('build:'), compose.indexOf('image:'))
  expect(names.filter(name => !built.includes(`${name}: \${${name}:-}`))).toEqual([])
  expect(names.filter(name => !example.includes(`#${name}=`))).toEqual([])
})

test('no command of the page asks for a compose file that is not there', () => {
  expect(
    findAll(page, /docker compose .*/g, 0).filter(line => !line.includes('compose -f deploy/compose.yml')),
  ).toEqual([])
})

test('the script that starts processes anew waits for one that runs, and leaves the others when one does not', async () => {
  const commands = { curl: CURL, systemctl: SYSTEMCTL, sleep: 'exit 0' }
  for (const [name, body] of Object.entries(commands)) {
    await Bun.write(join(home, name), `#!/bin/sh\ncd ${home}\n${body}\n`)
    await chmod(join(home, name), 0o755)
  }
  const run = async (readyAfter: number, isActive: boolean) => {
    await rm(join(home, 'asked'), { force: true })
    await rm(join(home, 'restarted'), { force: true })
    const env = { PATH: `${home}:${process.env.PATH}`, READY_AFTER: String(readyAfter), ACTIVE: isActive ? '0' : '3' }
    const script = ['sh', join(ROOT, 'deploy/rolling-restart.sh'), '3001', '3002']
    const child = Bun.spawn(script, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const err = await new Response(child.stderr).text()
    return [await child.exited, (await Bun.file(join(home, 'restarted')).text()).split('\n').length - 1, err] as const
  }
  expect(await run(3, true)).toEqual([0, 2, ''])
  const [code, restarted, said] = await run(130, true)
  expect([code, restarted, said.split('\n').length - 1]).toEqual([0, 2, 2])
  expect(await run(1000, false)).toEqual([1, 1, expect.stringContaining('balcao@3001 did not get ready')])
})

const CURL = 'echo x >>asked; [ "$(wc -l <asked)" -ge "$READY_AFTER" ]'
const SYSTEMCTL = 'case $1 in restart) echo "$2" >>restarted ;; is-active) exit "$ACTIVE" ;; esac'

function findAll(text: string, pattern: RegExp, group = 1): string[] {
  return [...text.matchAll(pattern)].map(match => match[group] ?? '')
}
