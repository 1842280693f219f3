import type { Webhook } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { formatMoment, getTexts, useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, StatusPill } from '@balcao/ui/parts'
import { type Column, DataPage, type RowAction, useHistory, useRow, useRows } from '@balcao/ui/screens'
import { KeyRound, ListChecks, Send, Webhook as WebhookIcon } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Deliveries } from './Deliveries.tsx'
import { isFilterEmpty } from './form.ts'
import { WEBHOOKS } from './list.ts'
import { SecretContext, SecretDialog, type ShownSecret } from './Secret.tsx'
import { TestDialog } from './TestDialog.tsx'
import { WebhookForm } from './WebhookForm.tsx'

const COLUMNS: readonly Column<Webhook>[] = [
  { id: 'name', width: 'w-[18%]', cell: ({ name }) => name },
  {
    id: 'address',
    cell: ({ address }) => (
      <bdi className="block truncate" title={address}>
        {address}
      </bdi>
    ),
  },
  { id: 'events', width: 'w-28', cell: formatEvents },
  { id: 'state', width: 'w-[20%]', cell: webhook => <State webhook={webhook} /> },
]

type Opened = { readonly dialog: 'test' | 'deliveries' | 'secret'; readonly id: number }

/** Webhooks: addresses of other programs, what they are told, and how that goes; live. */
export function WebhooksPage({ above }: { readonly above: ReactNode }) {
  const rows = useRows(WEBHOOKS)
  const history = useHistory('webhook')
  const [opened, open] = useState<Opened | null>(null)
  const [shown, show] = useState<ShownSecret | null>(null)
  const actions = useMemo(() => [...makeActions(open), ...history], [history])
  const row = useRow(rows, opened?.id ?? null)
  const close = () => open(null)
  return (
    <SecretContext value={show}>
      <DataPage
        texts="integrations"
        above={above}
        icon={WebhookIcon}
        rows={rows}
        columns={COLUMNS}
        nameOf={({ name }) => name}
        actions={actions}
        cardOf={webhook => ({ title: webhook.name, text: webhook.address, note: <State webhook={webhook} /> })}
        form={WebhookForm}
        remove={{ call: id => api('DELETE /integrations/:id', { params: { id } }), already: 'ERR_NOT_FOUND' }}
      />
      {row && opened?.dialog === 'test' && <TestDialog webhook={row} onClose={close} />}
      {row && opened?.dialog === 'deliveries' && (
        <Deliveries webhook={row} onTest={() => open({ dialog: 'test', id: row.id })} onClose={close} />
      )}
      {row && opened?.dialog === 'secret' && <Renew webhook={row} onShow={show} onClose={close} />}
      {shown && <SecretDialog {...shown} onClose={() => show(null)} />}
    </SecretContext>
  )
}

function makeActions(open: (opened: Opened) => void): readonly RowAction<Webhook>[] {
  return [
    { id: 'deliveries', icon: ListChecks, perform: ({ id }) => open({ dialog: 'deliveries', id }) },
    { id: 'test', icon: Send, perform: ({ id }) => open({ dialog: 'test', id }) },
    { id: 'secret', icon: KeyRound, perform: ({ id }) => open({ dialog: 'secret', id }) },
  ]
}

interface RenewProps {
  readonly webhook: Webhook
  readonly onShow: (shown: ShownSecret) => void
  readonly onClose: () => void
}

/** Asks before the other side has to be told another secret. */
function Renew({ webhook: { id, name }, onShow, onClose }: RenewProps) {
  const t = useTexts('integrations')
  const renew = () => {
    onClose()
    void reportErrors(async () => {
      const { secret } = await api('POST /integrations/:id/secret', { params: { id } })
      onShow({ name, secret })
    })
  }
  return (
    <ConfirmDialog
      title={t('renew.title', { name })}
      text={t('renew.text')}
      action={t('renew.action')}
      onConfirm={renew}
      onClose={onClose}
    />
  )
}

/** Whether it is told, and why not. */
function State({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts('integrations')
  const { active, stopReason, failingSince, retryAt } = webhook
  if (!active) return <StatusPill kind="quiet">{t(`stopped.${stopReason ?? 'person'}`)}</StatusPill>
  if (isFilterEmpty(webhook)) return <StatusPill kind="danger">{t('filterGone')}</StatusPill>
  if (failingSince === null) return <StatusPill kind="ok">{t('on')}</StatusPill>
  return (
    <span className="grid gap-0.5">
      <span>
        <StatusPill kind="waiting">{t('failing')}</StatusPill>
      </span>
      {retryAt && <span className="text-small text-text-2">{t('retry', { at: formatMoment(retryAt) })}</span>}
    </span>
  )
}

function formatEvents({ events }: Webhook): string {
  return getTexts('integrations')('events', { count: events.length })
}
