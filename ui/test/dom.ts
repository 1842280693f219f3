// Gives front-end tests a DOM, and only them: it is registered when bun first loads a test of `ui`, `shell` or a remote, and
// put aside again when a test of another package follows in the same process. The network stays Bun's own in both.
import { plugin } from 'bun'

const KEPT = new Set([
  'fetch',
  'Response',
  'Request',
  'Headers',
  'FormData',
  'Blob',
  'File',
  'WebSocket',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'TransformStream',
  'WritableStream',
  'TextEncoder',
  'TextDecoder',
  'URL',
  'URLSearchParams',
  'crypto',
  'performance',
])

interface Page {
  readonly document?: Document
  readonly Event: typeof Event
  readonly happyDOM?: { abort(): Promise<void> }
}

type Globals = Map<string, PropertyDescriptor>

let bare: Globals | undefined
let withDom: Globals | undefined

plugin({
  name: 'balcao-dom',
  setup(build) {
    build.onLoad({ filter: /^(?!.*node_modules).*\.test\.tsx?$/ }, async ({ path }) => {
      if (/[\\/](ui|shell|mfe-[a-z]+)[\\/](src|build|test)[\\/]/.test(path)) await showDom()
      else await hideDom()
      return { contents: await Bun.file(path).text(), loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
})

async function showDom() {
  if (withDom) {
    await endPage()
    swap(withDom)
    return forgetPage()
  }
  bare = listGlobals()
  const { GlobalRegistrator } = await import('@happy-dom/global-registrator')
  GlobalRegistrator.register({ url: 'http://localhost/', width: 1440, height: 900 })
  for (const [name, descriptor] of bare) if (KEPT.has(name)) Object.defineProperty(globalThis, name, descriptor)
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true)
  runTimersApart()
  withDom = listGlobals()
}

/** What a page kept of the file before: its machine is another one. */
async function forgetPage() {
  const { notices } = await import('../src/kit/parts/toast.ts')
  notices.list = []
  localStorage.clear()
  sessionStorage.clear()
  document.body.replaceChildren()
}

async function hideDom() {
  if (!bare || !withDom) return
  await endPage()
  swap(bare)
}

/** What the page of the file before still had to do at some time is not done in the midst of another file. */
async function endPage() {
  const page: Page = withDom?.get('window')?.value ?? globalThis
  // Letters that rest until their time is over rest no more: that time never comes.
  page.document?.dispatchEvent(new page.Event('pointerdown'))
  await page.happyDOM?.abort()
}

/**
 * happy-dom (21.0.4) runs all that is due at once by one timer. `abort` stops that timer without forgetting who waits for it, and
 * whatever is due at once from then on waits for it too, for ever. A delay of its own gives each a timer of its own.
 */
function runTimersApart() {
  const { setTimeout: setPageTimeout } = globalThis
  const setOwnTimeout = (callback: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) =>
    setPageTimeout(callback, Math.max(1, delay ?? 0), ...args)
  Reflect.set(globalThis, 'setTimeout', setOwnTimeout)
}

function listGlobals(): Globals {
  return new Map(Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
}

/** Makes the page's or the bare globals the current ones; what belongs to neither stays. */
function swap(wanted: Globals) {
  for (const name of new Set([...(bare?.keys() ?? []), ...(withDom?.keys() ?? [])])) {
    const descriptor = wanted.get(name)
    if (Object.getOwnPropertyDescriptor(globalThis, name)?.configurable === false) continue
    if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    else Reflect.deleteProperty(globalThis, name)
  }
}
