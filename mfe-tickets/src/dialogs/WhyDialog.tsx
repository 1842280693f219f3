// Choose a person, read the rule: why that person may or may not see this ticket.
import type { AnswerOf, User } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Field, Icon, Select, toast } from '@balcao/ui/parts'
import { Check, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { TicketContext } from '../actions/ticket-action.ts'
import { closeDialog } from '../desk/view.ts'
import { server } from '../server.ts'

type Access = AnswerOf<'GET /tickets/:id/access'>

export function WhyDialog({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const users = useTeam()
  const [userId, setUserId] = useState<number | null>(null)
  const access = useAccess(context.ticket.id, userId)
  return (
    <DockedDialog
      title={t('why.title')}
      intro={t('why.intro')}
      onClose={closeDialog}
      footer={
        <Button kind="plain" onClick={closeDialog}>
          {t('why.close')}
        </Button>
      }
    >
      <div className="g-form">
        <Field label={t('why.person')}>
          <Select
            options={users.map(user => ({ value: user.id, label: user.name }))}
            value={userId}
            placeholder={t('why.choose')}
            onChange={setUserId}
          />
        </Field>
        <div aria-live="polite">{access && <Verdict access={access} />}</div>
      </div>
    </DockedDialog>
  )
}

function Verdict({ access }: { readonly access: Access }) {
  const t = useTexts('tickets')
  const { allowed, rule, user, queue, assignedTo } = access
  return (
    <div className={`g-why${allowed ? ' is-yes' : ' is-no'}`}>
      <Icon of={allowed ? Check : X} size={16} />
      <div>
        <strong>{t(allowed ? 'why.yes' : 'why.no', { name: user.name })}</strong>
        <p>
          {t(`why.rule.${rule}`, {
            name: user.name,
            queue: queue ?? t('why.noQueue'),
            owner: assignedTo ?? t('why.nobody'),
          })}
        </p>
      </div>
    </div>
  )
}

function useTeam() {
  const [users, setUsers] = useState<readonly User[]>([])
  useEffect(() => {
    server.users().then(setUsers, (error: unknown) => toast.error(errorText(error)))
  }, [])
  return users
}

/** The answer for the person chosen last; the one before is gone at once. */
function useAccess(ticketId: number, userId: number | null) {
  const [access, setAccess] = useState<Access | null>(null)
  useEffect(() => {
    setAccess(null)
    if (userId === null) return
    const abort = new AbortController()
    api('GET /tickets/:id/access', { params: { id: ticketId }, query: { userId }, signal: abort.signal }).then(
      setAccess,
      (error: unknown) => abort.signal.aborted || toast.error(errorText(error)),
    )
    return () => abort.abort()
  }, [ticketId, userId])
  return access
}
