// Who follows the conversation: colleagues are asked in, and let go again.
import { api } from '@balcao/ui/api'
import { reportErrors, showErrorToast, useBusy, usePeople, useQuery } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, Button, DockedDialog, FormButtons, IconButton } from '@balcao/ui/parts'
import { X } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { endFollowing } from '../actions/end-following.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { getStores } from '../desk/stores.ts'
import { closeDialog } from '../desk/view.ts'
import { server } from '../server.ts'
import { canServe } from '../tickets/served.ts'
import { holdDialog } from './hold-dialog.ts'
import { TransferTargetField } from './TransferTargetField.tsx'
import { listPeopleTargets, type TransferTarget } from './transferable.ts'

export function FollowersDialog({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const { ticket, viewer } = context
  const { id, followers = [] } = ticket
  const mayAsk = canServe(viewer, ticket)
  const [chosen, setChosen] = useState<TransferTarget | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [busy, during] = useBusy()
  const form = useRef<HTMLDivElement>(null)

  /** Enter chooses, and Enter again asks. */
  function take(target: TransferTarget | null) {
    flushSync(() => {
      setChosen(target)
      setMissing(false)
    })
    const next = target ? '[type=submit]' : '[role=combobox]'
    form.current?.closest('[role=dialog]')?.querySelector<HTMLElement>(next)?.focus()
  }

  function ask() {
    if (busy) return
    const userId = chosen?.person?.id
    if (userId === undefined) return setMissing(true)
    const leave = holdDialog()
    during(async () => {
      getStores().tickets.take(await server.askIn(id, userId))
      leave()
    })
  }

  return (
    <DockedDialog
      title={t(mayAsk ? 'action.askIn' : 'followers.now')}
      intro={mayAsk ? t('followers.intro') : undefined}
      onClose={closeDialog}
      {...(mayAsk ? { onSubmit: ask } : {})}
      footer={
        mayAsk ? (
          <FormButtons framed action={t('followers.ask')} busy={busy} onClose={closeDialog} />
        ) : (
          <Button kind="plain" onClick={closeDialog}>
            {t('why.close')}
          </Button>
        )
      }
    >
      <div ref={form} className="g-form">
        {mayAsk && <ColleagueField context={context} chosen={chosen} isMissing={isMissing} onChange={take} />}
        {mayAsk && followers.length > 0 && (
          <p className="n-hint" aria-hidden="true">
            {t('followers.now')}
          </p>
        )}
        {followers.length > 0 && (
          <ul className="n-found" aria-label={t('followers.now')}>
            {followers.map(follower => (
              <li key={follower.id} className="n-chosen">
                <Avatar id={follower.id} name={follower.name} photo={follower.profilePicUrl} size={32} />
                <span className="n-person-text">{follower.name}</span>
                {(mayAsk || follower.id === viewer.id) && (
                  <IconButton
                    icon={X}
                    size="small"
                    label={t('followers.remove', { name: follower.name })}
                    onClick={() => void reportErrors(() => endFollowing(id, follower.id))}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </DockedDialog>
  )
}

interface ColleagueFieldProps {
  readonly context: TicketContext
  readonly chosen: TransferTarget | null
  readonly isMissing: boolean
  readonly onChange: (target: TransferTarget | null) => void
}

/** Whoever is active, of whatever queue, but for who has the conversation and who follows it. */
function ColleagueField({ context: { ticket, viewer }, chosen, isMissing, onChange }: ColleagueFieldProps) {
  const t = useTexts('tickets')
  const { last: people, error } = usePeople(showErrorToast)
  const { last: load } = useQuery('load', signal => api('GET /tickets/load', { signal }))
  const served = useMemo(() => new Map(load?.map(({ userId, tickets }) => [userId, tickets])), [load])
  const taken = new Set([viewer.id, ticket.userId, ...(ticket.followers ?? []).map(({ id }) => id)])
  const targets = people && listPeopleTargets(people).filter(({ person }) => !taken.has(person.id))
  return (
    <fieldset className="n-who" aria-label={t('followers.search')}>
      <TransferTargetField
        words="followers"
        targets={targets}
        isFailed={error !== null}
        chosen={chosen}
        served={served}
        error={isMissing && !chosen ? describeFault('call.person') : null}
        onChange={onChange}
      />
    </fieldset>
  )
}
