// Choose a person, read the rule: why that person may or may not see this ticket.
import type { ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { showErrorToast, usePeople, useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Field, Icon, Select } from '@balcao/ui/parts'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import type { TicketContext } from '../actions/ticket-action.ts'
import { closeDialog } from '../desk/view.ts'

type Access = ResponseBody<'GET /tickets/:id/access'>

export function WhyDialog({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const users = usePeople(showErrorToast).last ?? []
  const [userId, setUserId] = useState<number | null>(null)
  const { id } = context.ticket
  const ask = (signal: AbortSignal) =>
    api('GET /tickets/:id/access', { params: { id }, query: { userId: userId ?? 0 }, signal })
  const { now: access } = useQuery(userId, ask, showErrorToast)
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
