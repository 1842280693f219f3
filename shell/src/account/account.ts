// Which dialog of the account is open, and the notes of this session.

import type { ResponseBody } from '@balcao/contract'
import { OWNER_NAME } from '@balcao/contract/users/owner'
import { api, isApiError } from '@balcao/ui/api'
import { remember } from '@balcao/ui/browser'
import { keepSessionState, onSessionEnd, session, toPersonalKey, useUser } from '@balcao/ui/session'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'

export type AccountDialog = 'profile' | 'introduce' | 'password' | 'devices' | 'notes' | 'invoices'
type Note = ResponseBody<'GET /notes'>['notes'][number]

/** Remembered with the tab, so that a reload is no new session. */
const SHOWN = 'balcao.notes'

export const account = keepSessionState<{ open: AccountDialog | null; notes: readonly Note[] }>(() => ({
  open: null,
  notes: [],
}))

export function useAccount() {
  return useSnapshot(account)
}

export function openAccount(dialog: AccountDialog) {
  account.open = dialog
}

export function closeAccount() {
  account.open = null
}

/** Remembered with the browser: whoever said 'later' is not asked again there. */
const INTRODUCED = 'balcao.introduced'

/** The owner of a new company still bears the name it was made with, which customers would read: asked once. */
export function useIntroduction() {
  const { id, name } = useUser()
  useEffect(() => {
    if (id !== 1 || name !== OWNER_NAME || localStorage.getItem(toPersonalKey(INTRODUCED)) !== null) return
    remember(toPersonalKey(INTRODUCED), '1')
    account.open = 'introduce'
  }, [id, name])
}

/** Reads the notes; when there are any they show themselves once in a session (spec 1 §2, §9). */
export function useNotes() {
  useEffect(() => {
    void loadNotes()
  }, [])
}

export async function loadNotes() {
  try {
    account.notes = (await api('GET /notes')).notes
  } catch (error) {
    // Nobody misses notes: the next session asks again.
    if (!isApiError(error)) throw error
    return
  }
  if (account.notes.length === 0 || sessionStorage.getItem(SHOWN) !== null) return
  sessionStorage.setItem(SHOWN, '1')
  account.open ??= 'notes'
}

onSessionEnd(() => {
  // A reload goes on with the same person, and turns too; only who leaves begins a new session.
  if (session.status === 'out') sessionStorage.removeItem(SHOWN)
})
