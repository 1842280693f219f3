import { withTexts } from '@balcao/ui/i18n'
import { findAddressFailure, findLoadFailure, type LoadFailure } from '@balcao/ui/parts'
import type { ComponentType } from 'react'
import { loadContainer } from './container.ts'
import type { RemoteDefinition } from './definitions.ts'

/** Milliseconds until a remote that does not answer counts as failed. */
const PATIENCE = 10_000

interface RemoteModule {
  readonly default: ComponentType & { readonly preload?: (pathname: string) => Promise<unknown> }
}

/** Those that are here. */
const apps = new Map<string, RemoteModule['default']>()

/** The App of a remote that is here already: it is drawn with the press that asks for it. */
export function findApp({ name }: RemoteDefinition): ComponentType | null {
  return apps.get(name) ?? null
}

/** Has it fetched afresh, after a failure. */
export function forgetApp({ name }: RemoteDefinition) {
  apps.delete(name)
  coming.delete(name)
}

/** A remote that could not be loaded, and why. */
export class RemoteNotLoaded extends Error {
  override readonly name = 'RemoteNotLoaded'

  /** @param arriving of one that is only slow: it may come all the same */
  constructor(
    remote: string,
    readonly failure: LoadFailure,
    readonly arriving?: Promise<RemoteModule['default']>,
    options?: ErrorOptions,
  ) {
    super(`${remote} was not loaded: ${failure}`, options)
  }
}

/** The App of a remote, when its texts are there too; rejects with `RemoteNotLoaded` when it cannot be loaded or hangs for 10 s. */
export async function loadApp({ name, entry }: RemoteDefinition): Promise<RemoteModule['default']> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const arriving = loadWhole(name, entry)
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RemoteNotLoaded(name, navigator.onLine ? 'slow' : 'offline', arriving)),
      PATIENCE,
    )
  })
  try {
    return await Promise.race([arriving, late])
  } catch (error) {
    if (error instanceof RemoteNotLoaded) throw error
    throw new RemoteNotLoaded(name, await findFailure(error, entry), undefined, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Fetches the code of a page before somebody goes there; one that cannot be had is tried again, and told of, when it is opened. */
export async function preloadPage(remote: RemoteDefinition, pathname: string): Promise<void> {
  if (!navigator.onLine || isSavingData()) return
  try {
    const App = apps.get(remote.name) ?? (await loadApp(remote))
    await App.preload?.(pathname)
  } catch {
    forgetApp(remote)
  }
}

/** Whose line is paid by what goes over it gets what is asked for and nothing ahead; not every browser says so. */
function isSavingData(): boolean {
  const line: unknown = Reflect.get(navigator, 'connection')
  return typeof line === 'object' && line !== null && Reflect.get(line, 'saveData') === true
}

/** Those on their way are asked for once. */
const coming = new Map<string, Promise<RemoteModule>>()

async function loadWhole(name: string, entry: string): Promise<RemoteModule['default']> {
  const loading = coming.get(name) ?? loadContainer(new URL(entry, location.origin).href).then(toRemoteModule)
  coming.set(name, loading)
  const { default: App } = await withTexts(await loading)
  apps.set(name, App)
  return App
}

function toRemoteModule(module: unknown): RemoteModule {
  if (!isRemoteModule(module)) throw new Error('The remote has no App')
  return module
}

function isRemoteModule(module: unknown): module is RemoteModule {
  return typeof module === 'object' && module !== null && 'default' in module
}

/** Where its description is not there either, the remote is down: another try finds it where it is then. */
async function findFailure(error: unknown, entry: string): Promise<LoadFailure> {
  const failure = await findLoadFailure(error)
  if (failure !== 'failed') return failure
  const described = await findAddressFailure(new URL(entry, location.origin).href)
  return described === 'newVersion' ? 'failed' : described
}
