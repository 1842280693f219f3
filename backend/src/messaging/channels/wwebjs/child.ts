// The process that runs one connection's browser, with the unmodified library: a page that hangs, leaks or dies takes nothing else along.
// It ends itself and its browser when the desk's end of stdin closes.
import wweb from 'whatsapp-web.js'
import { findBrowser } from './chromium.ts'
import { measureMemory } from './memory.ts'
import { type FromChild, readLines, type StartCommand, type ToChild, type WebEvent } from './protocol.ts'
import { isUnreachable } from './reconnect.ts'
import { WebPage } from './web-page.ts'

const BEAT_MS = 5000
/** A page that cannot say `1` in this time is stuck: its beat is left out. */
const ALIVE_MS = 4000
/** What is not needed, calls home or wants a screen. */
const FLAGS = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

// The library and what it uses write to the console; stdout is the line to the desk.
for (const name of ['log', 'info', 'warn', 'debug'] as const) console[name] = console.error
process.on('unhandledRejection', error => console.error(error))
process.on('uncaughtException', error => console.error(error))

let page: WebPage | null = null
let ending = false

function tell(frame: FromChild): void {
  process.stdout.write(`${JSON.stringify(frame)}\n`)
}

const event = (ev: WebEvent) => tell({ ev })

async function start({ folder, page: standIn, phone, codes }: StartCommand): Promise<{ browser: number }> {
  const browser = await findBrowser().catch(error => {
    throw Object.assign(new Error(error instanceof Error ? error.message : String(error)), { code: 'no_browser' })
  })
  const client = new wweb.Client({
    authStrategy: new wweb.LocalAuth({ dataPath: folder }),
    // The newest page, unless another one stands in for it.
    ...(standIn === null
      ? { webVersionCache: { type: 'none' } }
      : { webVersion: 'stand-in', webVersionCache: { type: 'remote', remotePath: standIn, strict: true } }),
    qrMaxRetries: codes,
    authTimeoutMs: 60_000,
    ...(phone && { pairWithPhoneNumber: { phoneNumber: phone, showNotification: true, intervalMs: 180_000 } }),
    puppeteer: {
      executablePath: browser.path,
      headless: true,
      // Without this process the pipe breaks, and the browser ends by itself; a port would be open to everybody on this machine.
      pipe: true,
      args: [
        ...FLAGS,
        // The page that stands in talks to this machine.
        ...(standIn === null ? [] : ['--disable-features=LocalNetworkAccessChecks']),
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
      env: { ...process.env, ...browser.env },
      protocolTimeout: 300_000,
    },
  })
  page = new WebPage(client, folder, event)
  const opened = client.initialize()
  const launched = await page.launched(opened)
  opened.catch(error => {
    console.error(error)
    if (isUnreachable(error)) event({ type: 'disconnected', reason: 'TIMEOUT' })
    return end(3)
  })
  return { browser: launched }
}

async function beat(): Promise<void> {
  const isAlive = await Promise.race([page?.answers() ?? true, Bun.sleep(ALIVE_MS).then(() => false)])
  if (isAlive) tell({ hb: { rss: measureMemory(process.pid), state: page?.state ?? '' } })
}

async function end(code: number): Promise<void> {
  if (ending) return
  ending = true
  await Promise.race([page?.close(), Bun.sleep(4000)])
  process.exit(code)
}

async function obey(command: ToChild): Promise<unknown> {
  if (command.c === 'start') return start(command)
  if (command.c === 'stop') return null
  if (!page) throw Object.assign(new Error('The browser is not open'), { code: 'not_connected' })
  return page.obey(command, () => tell({ re: command.id, handed: true }))
}

setInterval(() => {
  beat().catch(console.error)
}, BEAT_MS)
await readLines(Bun.stdin.stream(), text => {
  const command: ToChild = JSON.parse(text)
  obey(command)
    .then(
      value => tell({ re: command.id, ok: true, value: value ?? null }),
      error => {
        const code = typeof error?.code === 'string' ? error.code : 'error'
        tell({
          re: command.id,
          ok: false,
          error: { code, text: error instanceof Error ? error.message : String(error) },
        })
      },
    )
    .then(() => (command.c === 'stop' || command.c === 'logout' ? end(0) : undefined))
    .catch(console.error)
})
await end(0)
