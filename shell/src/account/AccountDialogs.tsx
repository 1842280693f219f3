// The dialogs of the account; each comes when it is first opened.
import { defineLatePart } from '@balcao/ui/parts'
import { closeAccount, useAccount } from './account.ts'

const Profile = defineLatePart(() => import(/* webpackChunkName: "lazy-profile" */ './ProfileDialog.tsx'))
const Introduce = defineLatePart(() => import(/* webpackChunkName: "lazy-profile" */ './IntroduceDialog.tsx'))
const Password = defineLatePart(() => import(/* webpackChunkName: "lazy-password" */ './PasswordDialog.tsx'))
const Notes = defineLatePart(() => import(/* webpackChunkName: "lazy-notes" */ './NotesDialog.tsx'))
const Devices = defineLatePart(() => import(/* webpackChunkName: "lazy-devices" */ './DevicesDialog.tsx'))
const Invoices = defineLatePart(() => import(/* webpackChunkName: "lazy-invoices" */ './InvoicesDialog.tsx'))
const Forced = defineLatePart(() => import(/* webpackChunkName: "lazy-password" */ './ForcedChangePage.tsx'))

const DIALOGS = {
  profile: Profile,
  introduce: Introduce,
  password: Password,
  notes: Notes,
  devices: Devices,
  invoices: Invoices,
}

export function AccountDialogs() {
  const { open } = useAccount()
  if (!open) return null
  const Open = DIALOGS[open]
  return <Open onClose={closeAccount} />
}

/** The only page of who came with a one-time password. */
export function ForcedChange() {
  return <Forced />
}
