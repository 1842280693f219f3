import { withTexts } from '@balcao/ui/i18n'
import { loadRemote, registerRemotes } from '@module-federation/enhanced/runtime'
import type { ComponentType } from 'react'
import type { RemoteDefinition } from './definitions.ts'

/** Milliseconds until a remote that does not answer counts as failed. */
const PATIENCE = 10_000

interface RemoteModule {
  readonly default: ComponentType
}

/** Makes the addresses known; with `force` once more, after a failure. */
export function register(remotes: readonly RemoteDefinition[], force = false) {
  registerRemotes(
    remotes.map(({ name, entry }) => ({ name, entry: new URL(entry, location.origin).href })),
    { force },
  )
}

/** The App of a remote, when its texts are there too; rejects when it cannot be loaded or hangs for 10 s. */
export async function loadApp(name: string): Promise<RemoteModule> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not answer for ${PATIENCE / 1000} s`)), PATIENCE)
  })
  try {
    const loaded = await Promise.race([loadRemote<RemoteModule>(`${name}/App`), late])
    if (!loaded) throw new Error(`${name} has no ./App`)
    return await withTexts(loaded)
  } finally {
    clearTimeout(timer)
  }
}
