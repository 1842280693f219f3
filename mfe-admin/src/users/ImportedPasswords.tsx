// The one-time passwords of an import: nobody can ask for them again, so they are kept from when they come until somebody has them,
// whatever was closed or opened meanwhile, and the browser asks before the page goes.
import type { ResponseBody } from '@balcao/contract'
import { keepPerSession, keepSessionState } from '@balcao/ui/session'
import { useSnapshot } from 'valtio'
import { OneTimePasswords } from './OneTimePasswords.tsx'

type Passwords = ResponseBody<'POST /users/import/:userId'>['passwords']

const imports = keepSessionState<{ running: number; passwords: Passwords }>(() => ({ running: 0, passwords: [] }))

const holdPage = keepPerSession(signal => {
  const hold = (event: BeforeUnloadEvent) => {
    if (imports.running > 0 || imports.passwords.length > 0) event.preventDefault()
  }
  window.addEventListener('beforeunload', hold, { signal })
  return hold
})

/** Shows them wherever it stands; stands on the page of users. */
export function ImportedPasswords() {
  const { passwords } = useSnapshot(imports)
  if (passwords.length === 0) return null
  return <OneTimePasswords people={passwords} onClose={() => Object.assign(imports, { passwords: [] })} />
}

/** Runs an import and keeps its passwords; how many there are. Throws as the call. */
export async function keepPasswords(run: () => Promise<{ readonly passwords: Passwords }>): Promise<number> {
  holdPage()
  imports.running += 1
  try {
    const { passwords } = await run()
    const known = imports.passwords.filter(one => !passwords.some(({ email }) => email === one.email))
    imports.passwords = [...known, ...passwords]
    return passwords.length
  } finally {
    imports.running -= 1
  }
}
