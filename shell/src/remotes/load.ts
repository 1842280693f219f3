import { withTexts } from '@balcao/ui/i18n'
import { findAddressFailure, findLoadFailure, type LoadFailure } from '@balcao/ui/parts'
import { loadRemote, registerRemotes } from '@module-federation/enhanced/runtime'
import type { ComponentType } from 'react'
import type { RemoteDefinition } from './definitions.ts'

/** Milliseconds until a remote that does not answer counts as failed. */
const PATIENCE = 10_000

interface RemoteModule {
  readonly default: ComponentType & { readonly preload?: (pathname: string) => Promise<unknown> }
}

/** Makes the addresses known; with `force` once more, after a failure. */
export function register(remotes: readonly RemoteDefinition[], force = false) {
  registerRemotes(
    remotes.map(({ name, entry }) => ({ name, entry: new URL(entry, location.origin).href })),
    { force },
  )
}

/** A remote that could not be loaded, and why. */
export class RemoteNotLoaded extends Error {
  readonly failure: LoadFailure

  constructor(name: string, failure: LoadFailure, options?: ErrorOptions) {
    super(`${name} was not loaded: ${failure}`, options)
    this.name = 'RemoteNotLoaded'
    this.failure = failure
  }
}

/** The App of a remote, when its texts are there too; rejects with `RemoteNotLoaded` when it cannot be loaded or hangs for 10 s. */
export async function loadApp({ name, entry }: RemoteDefinition): Promise<RemoteModule> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RemoteNotLoaded(name, navigator.onLine ? 'slow' : 'offline')), PATIENCE)
  })
  try {
    return await Promise.race([loadWhole(name), late])
  } catch (error) {
    if (error instanceof RemoteNotLoaded) throw error
    throw new RemoteNotLoaded(name, await findFailure(error, entry), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Fetches the code of a page before somebody goes there; one that cannot be had is tried again, and told of, when it is opened. */
export async function preloadPage(remote: RemoteDefinition, pathname: string): Promise<void> {
  if (!navigator.onLine) return
  try {
    const { default: App } = await loadApp(remote)
    await App.preload?.(pathname)
  } catch {
    register([remote], true)
  }
}

async function loadWhole(name: string): Promise<RemoteModule> {
  const loaded = await loadRemote<RemoteModule>(`${name}/App`)
  if (!loaded) throw new Error(`${name} has no ./App`)
  return withTexts(loaded)
}

/** Where its description is not there either, the remote is down: another try finds it where it is then. */
async function findFailure(error: unknown, entry: string): Promise<LoadFailure> {
  const failure = await findLoadFailure(error)
  if (failure !== 'failed') return failure
  const described = await findAddressFailure(new URL(entry, location.origin).href)
  return described === 'newVersion' ? 'failed' : described
}
