// Who follows the conversation: colleagues are asked in, and let go again.
import { api } from '@balcao/ui/api'
import { reportErrors, showErrorToast, useBusy, usePeople } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { DockedDialog, Field, FormButtons, IconButton, Select } from '@balcao/ui/parts'
import { X } from 'lucide-react'
import { useState } from 'react'
import { endFollowing } from '../actions/end-following.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { getStores } from '../desk/stores.ts'
import { closeDialog } from '../desk/view.ts'
import { holdDialog } from './hold-dialog.ts'

export function FollowersDialog({ context: { ticket } }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const people = usePeople(showErrorToast).last ?? []
  const [userId, setUserId] = useState<number | null>(null)
  const [busy, during] = useBusy()
  const { id, followers = [] } = ticket
  const offered = people.filter(
    person => person.active && person.id !== ticket.userId && !followers.some(follower => follower.id === person.id),
  )

  function ask() {
    if (userId === null) return
    const leave = holdDialog()
    during(async () => {
      getStores().tickets.take(await api('PUT /tickets/:id/followers/:userId', { params: { id, userId } }))
      leave()
    })
  }

  return (
    <DockedDialog
      title={t('action.askIn')}
      intro={t('followers.intro')}
      onClose={closeDialog}
      onSubmit={ask}
      footer={<FormButtons framed action={t('followers.ask')} busy={busy} onClose={closeDialog} />}
    >
      <div className="g-form">
        <Field label={t('followers.person')}>
          <Select
            options={offered.map(person => ({ value: person.id, label: person.name }))}
            value={userId}
            placeholder={t('why.choose')}
            onChange={setUserId}
          />
        </Field>
        <ul aria-label={t('followers.now')}>
          {followers.map(({ id: followerId, name }) => (
            <li key={followerId}>
              {name}
              <IconButton
                icon={X}
                label={t('followers.remove', { name })}
                onClick={() => void reportErrors(() => endFollowing(id, followerId))}
              />
            </li>
          ))}
        </ul>
      </div>
    </DockedDialog>
  )
}
