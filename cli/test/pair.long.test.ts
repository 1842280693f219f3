// Pairing at the terminal (decisions-2 §21): the newest code, what happens on the phone, the end by itself; with an unmodified client of
// WhatsApp on the server and the simulator's phone, whose camera reads the code from the terminal's screen.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTrustRoot, startWhatsApp } from '@balcao/simulator/whatsapp/index'
import jsQR from 'jsqr'
import { type StatusEvent, storeStatus } from '../../backend/src/messaging/owner/status.ts'
import { makeConnection } from '../../backend/test/desk-world.ts'
import { waitUntil } from '../../backend/test/until.ts'
import { hasRoom, renderPairLines } from '../src/pair/lines.ts'
import { renderQrLines } from '../src/pair/qr.ts'
import { startCable } from './cable.ts'
import { startCompany } from './desk.ts'
import { CTRL_C, runInTerminal, startInPipe, type TerminalSession } from './terminal.ts'

const whatsapp = await startWhatsApp({ ackDelayMs: 5 })
setTrustRoot(whatsapp.root)
const { server, machine, connection } = await startCompany({ WHATSAPP_WEB_URL: whatsapp.url })
afterAll(() => whatsapp.stop())

beforeAll(async () => {
  await server.db.$client`update whatsapp set wanted = false`
})

const CODE = /^ +[A-Z0-9]{4}-[A-Z0-9]{4}$/m
const LARGE = { columns: 100, rows: 60 }

describe('the code on the terminal', () => {
  test('is read by a camera from the screen, in colours and without', async () => {
    const company = whatsapp.company({ number: '553132224010', name: 'Loja Centro' })
    using seen = runInTerminal(machine, ['pair', 'Loja Centro'], LARGE)
    await seen.until('Código novo em')
    await company.scan(() => readShownCode(seen) ?? '')
    expect(await seen.ended()).toBe(0)
    expect(seen.text()).toContain('conectada')
    expect([seen.isAsBefore(), seen.overflows()]).toEqual([true, false])
    const [row] = await server.db.$client`select status from whatsapp where id = ${connection.id}`
    expect(row?.status).toBe('CONNECTED')
    const plain = renderQrLines('2@abc,def', false)
    expect(decodeModules(toBits(plain))).toBe('2@abc,def')
  })

  test('goes without what stands beside it where the terminal is low, and is never cut', () => {
    // As long as those of WhatsApp: a reference and three keys.
    const text = `2@${'a'.repeat(152)},${'b'.repeat(44)},${'c'.repeat(44)},${'d'.repeat(44)}`
    const state = { step: 'code', text, secondsLeft: 20, share: 1 } as const
    const pairing = { state, codes: 1, paircode: null, moments: [], page: 'http://desk/connections' }
    const draw = (rows: number) => renderPairLines(pairing, { paint: plain => plain, columns: 80, rows }, key => key)
    const code = renderQrLines(text, false)
    const needed = code.length + 3
    expect(draw(needed + 7).length).toBeGreaterThan(needed)
    for (const rows of [needed, needed + 6])
      expect(draw(rows)).toEqual(['lead', ...code.map(line => `  ${line}`), 'newIn'])
    expect(hasRoom(text, { columns: 80, rows: needed - 1 })).toBe(false)
    expect(draw(needed - 1)).toContain('http://desk/connections')
  })

  test('of a connection that is connected there is none: that is said, and how to link another phone', async () => {
    const { stdout, exited } = startInPipe(machine, ['pair'])
    expect([await new Response(stdout).text(), await exited]).toEqual([
      '✓ “Loja Centro” já está conectada. Para trocar de celular: --again\n',
      0,
    ])
  })
})

test('`--code`: eight characters to type on the phone, and the end by itself once they are', async () => {
  const whatsappId = await makeConnection(server.db, 'Loja Norte')
  const company = whatsapp.company({ number: '553132224012', name: 'Loja Norte' })
  using seen = runInTerminal(machine, ['pair', 'Loja Norte', '--code', '+55 31 3222-4012'])
  await seen.until(CODE)
  await company.enterCode(CODE.exec(seen.text())?.[0].trim() ?? '')
  expect(await seen.ended()).toBe(0)
  expect(seen.text()).toContain('conectada')
  const [row] = await server.db.$client`select status from whatsapp where id = ${whatsappId}`
  expect(row?.status).toBe('CONNECTED')
  await server.db.$client`update whatsapp set deleted_at = now() where id = ${whatsappId}`
})

test('a code that ran out while nobody looked is no reason to end: a new one is asked for', async () => {
  const whatsappId = await makeConnection(server.db, 'Filial Sul')
  await server.db.$client`
    update whatsapp set status = 'qrcode', qrcode = 'velho', qr_expires_at = now() - interval '1 hour'
    where id = ${whatsappId}`
  using seen = runInTerminal(machine, ['pair', 'Filial Sul'], LARGE)
  await seen.until('Código novo em')
  seen.type(CTRL_C)
  expect(await seen.ended()).toBe(130)
  await server.db.$client`update whatsapp set deleted_at = now() where id = ${whatsappId}`
})

test('while the line is down no code is said to have run out; what became of it is told once the line is back', async () => {
  const cable = await startCable(server.url)
  const whatsappId = await makeConnection(server.db, 'Filial Leste')
  const says = (event: Omit<StatusEvent, 'type'>) =>
    storeStatus(server.db, { whatsappId, epoch: 0 }, { type: 'status', ...event })
  await says({ status: 'qrcode', trouble: null, qr: '2@abc,def,ghi,jkl', qrExpiresAt: Date.now() + 8000 })
  const { profiles } = await Bun.file(machine.profiles).json()
  const env = { BALCAO_URL: cable.url, BALCAO_TOKEN: String(profiles.loja.token) }
  using seen = runInTerminal(machine, ['pair', 'Filial Leste'], { ...LARGE, env })
  await seen.until('Código novo em')
  cable.pull()
  await seen.until('a linha com o servidor caiu')
  await seen.until('Preparando o código')
  expect(seen.text()).not.toContain('ninguém leu')
  await says({ status: 'CONNECTED', trouble: null })
  cable.putBack()
  expect(await seen.ended()).toBe(0)
  expect(seen.text()).toContain('conectada')
  await server.db.$client`update whatsapp set deleted_at = now() where id = ${whatsappId}`
})

describe('another phone', () => {
  const statusOf = async () =>
    (await server.db.$client`select status from whatsapp where id = ${connection.id}`)[0]?.status

  test('the one that is linked is let go only by who says so; without a terminal `--yes` says it', async () => {
    using terminal = runInTerminal(machine, ['pair', 'Loja', '--again'])
    await terminal.until('+55 31 3222-4010')
    terminal.type('\r')
    expect(await terminal.ended()).toBe(1)
    const child = startInPipe(machine, ['pair', 'Loja', '--again'])
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      2,
      '✗ Com --again um celular ligado é desligado: confirme com --yes.\n',
    ])
    expect(await statusOf()).toBe('CONNECTED')
  })

  test('one that came back from a backup asks whether the old server is off for good', async () => {
    const before = await server.db.$client<{ trouble: string; status: string }[]>`
      select trouble::text as trouble, status from whatsapp where id = ${connection.id}`
    const trouble = { code: 'restored', reason: 'restored', attempt: 0, nextTryAt: null, next: 'confirm' }
    const hold = () => server.db.$client`
      update whatsapp set status = 'DISCONNECTED', version = version + 1,
        trouble = ${JSON.stringify({ ...trouble, since: new Date().toISOString() })}::text::jsonb where id = ${connection.id}`
    const countTaken = async () =>
      (await server.db.$client`select 1 from log_entry where action = 'connection.takeUp'`).length
    await hold()
    using terminal = runInTerminal(machine, ['pair', 'Loja'])
    await terminal.until('O servidor antigo está desligado de vez?')
    terminal.type('\r')
    expect(await terminal.ended()).toBe(1)
    const child = startInPipe(machine, ['pair', 'Loja'])
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      2,
      '✗ A conexão voltou de uma cópia de segurança: confirme com --yes que o servidor antigo está desligado de vez.\n',
    ])
    expect(await countTaken()).toBe(0)
    using willing = runInTerminal(machine, ['pair', 'Loja'], LARGE)
    await willing.until('O servidor antigo está desligado de vez?')
    willing.type('s\r')
    await waitUntil('it is taken up', async () => (await countTaken()) === 1)
    willing.type(CTRL_C)
    await willing.ended()
    await hold()
    const sure = startInPipe(machine, ['pair', 'Loja', '--yes'])
    await waitUntil('it is taken up again', async () => (await countTaken()) === 2)
    sure.kill()
    await sure.exited
    await server.db.$client`
      update whatsapp set status = ${before[0]?.status ?? ''}, trouble = ${before[0]?.trouble ?? null}::text::jsonb,
        version = version + 1 where id = ${connection.id}`
  })

  test('by a code to type; until it is typed nothing says that it was, and a code to read can be asked for instead', async () => {
    using typed = runInTerminal(machine, ['pair', 'Loja', '--again', '--yes', '--code', '553132224013'])
    await typed.until(CODE)
    await typed.until('código pedido')
    expect(await statusOf()).toBe('PAIRING')
    await Bun.sleep(600)
    expect(typed.text()).not.toContain('código lido')
    expect(typed.text()).not.toContain('aguardando leitura')
    typed.type(CTRL_C)
    expect(await typed.ended()).toBe(130)
    using read = runInTerminal(machine, ['pair', 'Loja'], LARGE)
    await read.until('aguardando leitura')
    const company = whatsapp.company({ number: '553132224013', name: 'Loja Centro' })
    await company.scan(() => readShownCode(read) ?? '')
    expect(await read.ended()).toBe(0)
    expect(read.text()).toContain('código lido, conferindo…')
  })

  test.each([
    [40, 24],
    [80, 24],
  ])(
    'Ctrl+C leaves the connection as it is; a terminal of %d by %d is too small, shows where to find the code and opens that page',
    async (columns, rows) => {
      const opened = join(machine.folder, `opened-${columns}`)
      const browser = join(machine.folder, 'browser')
      await Bun.write(browser, `#!/bin/sh\necho "$1" >> '${opened}'\n`)
      await chmod(browser, 0o755)
      using small = runInTerminal(machine, ['pair', 'Loja', '--again'], {
        ...{ columns, rows },
        env: { BROWSER: browser },
      })
      await small.until('[s/N]')
      small.type('s\r')
      await small.until(`${server.url}/connections`)
      await waitUntil(
        'the page is opened, once',
        async () =>
          (await Bun.file(opened)
            .text()
            .catch(() => '')) !== '',
      )
      expect(await Bun.file(opened).text()).toBe(`${server.url}/connections\n`)
      small.type(CTRL_C)
      expect([await small.ended(), small.isAsBefore(), small.overflows()]).toEqual([130, true, false])
      const [row] = await server.db.$client`select status from whatsapp where id = ${connection.id}`
      expect(row?.status).toBe('qrcode')
    },
  )

  test('in a pipe with `--json` every code comes as a line, and the last one says that it is connected', async () => {
    const company = whatsapp.company({ number: '553132224011', name: 'Loja Centro' })
    const child = startInPipe(machine, ['pair', 'Loja Centro', '--json'])
    const events: { event: string; qrcode?: string }[] = []
    const reading = (async () => {
      let rest = ''
      for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + part).split('\n')
        rest = lines.pop() ?? ''
        events.push(...lines.map(line => JSON.parse(line)))
      }
    })()
    await company.scan(() => events.findLast(each => each.qrcode !== undefined)?.qrcode ?? '')
    await reading
    expect(await child.exited).toBe(0)
    expect(events[0]).toMatchObject({ event: 'code', page: `${server.url}/connections` })
    expect(events.at(-1)?.event).toBe('connected')
  })
})

/** What a camera reads on the screen now; null while there is no code. */
function readShownCode({ screen }: TerminalSession): string | null {
  const { active } = screen.buffer
  const bits: boolean[][] = []
  for (let y = 0; y < active.length; y++) {
    const line = active.getLine(y)
    const [above, below]: [boolean[], boolean[]] = [[], []]
    for (let x = 0; x < screen.cols; x++) {
      const cell = line?.getCell(x)
      if (cell?.getChars() !== '▀') continue
      above.push(cell.getFgColor() !== LIGHT)
      below.push(cell.isBgDefault() || cell.getBgColor() !== LIGHT)
    }
    if (above.length > 20) bits.push(above, below)
  }
  return bits.length > 20 ? decodeModules(bits) : null
}

/** The bright white of sixteen colours. */
const LIGHT = 15

function toBits(lines: readonly string[]): boolean[][] {
  return lines.flatMap(line => [
    [...line].map(each => each !== '█' && each !== '▀'),
    [...line].map(each => each !== '█' && each !== '▄'),
  ])
}

const MODULE = 4

/** Reads a code from its modules, true for the dark ones, as a camera does: from pixels, with a wall around. */
function decodeModules(bits: readonly (readonly boolean[])[]): string | null {
  const wall = 4
  const width = ((bits[0]?.length ?? 0) + 2 * wall) * MODULE
  const height = (bits.length + 2 * wall) * MODULE
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (bits[Math.floor(y / MODULE) - wall]?.[Math.floor(x / MODULE) - wall])
        pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return jsQR(pixels, width, height)?.data ?? null
}
