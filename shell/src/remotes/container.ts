// How a remote comes in by module federation, as the bundler itself has it: a script puts a container on the page, the container
// is given what the shell shares, and hands out the App.

declare const __webpack_init_sharing__: (scope: string) => Promise<void>
declare const __webpack_share_scopes__: Readonly<Record<string, object>>

/** What a remote's build writes beside its files (`ui/build/manifest.ts`). */
interface Manifest {
  readonly metaData: {
    readonly globalName: string
    readonly remoteEntry: { readonly name: string; readonly path: string }
  }
  readonly exposes: readonly { readonly assets: Record<'js' | 'css', { readonly sync: readonly string[] }> }[]
}

interface Container {
  init(shared: object): Promise<void>
  get(name: string): Promise<() => unknown>
}

/** Fetches the module `./App` of the remote that the manifest at `address` describes; what failed before is fetched afresh. */
export async function loadContainer(address: string): Promise<unknown> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: HTTP ${response.status}`)
  const { metaData, exposes }: Manifest = await response.json()
  const { path, name } = metaData.remoteEntry
  // Asked for with the entry, not after it.
  for (const { js, css } of exposes.map(({ assets }) => assets)) {
    for (const file of js.sync) preload(new URL(file, address), 'script')
    for (const file of css.sync) preload(new URL(file, address), 'style')
  }
  await Promise.all([runScript(new URL(`${path}${name}`, address)), __webpack_init_sharing__('default')])
  const container: unknown = Reflect.get(globalThis, metaData.globalName)
  if (!isContainer(container)) throw new Error(`${address} leads to no container`)
  await container.init(__webpack_share_scopes__.default ?? {})
  return (await container.get('./App'))()
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null && 'init' in value && 'get' in value
}

function preload({ href }: URL, as: 'script' | 'style') {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as, href }))
}

async function runScript({ href }: URL) {
  const script = Object.assign(document.createElement('script'), { src: href, async: true })
  document.head.append(script)
  await new Promise((resolve, reject) => {
    script.onload = resolve
    script.onerror = () => reject(new Error(`${href} did not load`))
  }).finally(() => script.remove())
}
