// The dialogs of the account; each comes when it is first opened.
import { lazy, Suspense } from 'react'
import { closeAccount, useAccount } from './account.ts'

const Profile = lazy(() => import(/* webpackChunkName: "lazy-profile" */ './ProfileDialog.tsx'))
const Password = lazy(() => import(/* webpackChunkName: "lazy-password" */ './PasswordDialog.tsx'))
const Notes = lazy(() => import(/* webpackChunkName: "lazy-notes" */ './NotesDialog.tsx'))
const Invoices = lazy(() => import(/* webpackChunkName: "lazy-invoices" */ './InvoicesDialog.tsx'))
const Forced = lazy(() => import(/* webpackChunkName: "lazy-password" */ './ForcedChangePage.tsx'))

const DIALOGS = { profile: Profile, password: Password, notes: Notes, invoices: Invoices }

export function AccountDialogs() {
  const { open } = useAccount()
  if (!open) return null
  const Open = DIALOGS[open]
  return (
    <Suspense fallback={null}>
      <Open onClose={closeAccount} />
    </Suspense>
  )
}

/** The only page of who came with a one-time password. */
export function ForcedChange() {
  return (
    <Suspense fallback={null}>
      <Forced />
    </Suspense>
  )
}
