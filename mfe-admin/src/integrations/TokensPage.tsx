import type { ApiToken } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { formatDate, formatMoment, getTexts, useTexts } from '@balcao/ui/i18n'
import { StatusPill } from '@balcao/ui/parts'
import { type Column, DataPage, useHistory, useRows } from '@balcao/ui/screens'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { SecretContext, SecretDialog, type ShownSecret } from './Secret.tsx'
import { TokenForm } from './TokenForm.tsx'
import { TOKENS } from './token-list.ts'

const COLUMNS: readonly Column<ApiToken>[] = [
  { id: 'name', width: 'w-[18%]', cell: ({ name }) => name },
  { id: 'holder', width: 'w-[14%]', cell: formatHolder },
  { id: 'scopes', cell: formatScopes },
  { id: 'lastUsed', width: 'w-36', cell: formatLastUse },
  { id: 'state', width: 'w-[18%]', cell: token => <State token={token} /> },
]

/** Tokens with which other programs call: what each opens, as whom, until when; live. */
export function TokensPage({ above }: { readonly above: ReactNode }) {
  const rows = useRows(TOKENS)
  const history = useHistory('apiToken')
  const [shown, show] = useState<ShownSecret | null>(null)
  return (
    <SecretContext value={show}>
      <DataPage
        texts="api-tokens"
        above={above}
        icon={KeyRound}
        rows={rows}
        columns={COLUMNS}
        height={60}
        nameOf={({ name }) => name}
        actions={history}
        cardOf={token => ({ title: token.name, text: formatScopes(token), note: <State token={token} /> })}
        form={TokenForm}
        remove={{ call: id => api('DELETE /integrations/tokens/:id', { params: { id } }), already: 'ERR_NOT_FOUND' }}
      />
      {shown && <SecretDialog texts="api-tokens" {...shown} onClose={() => show(null)} />}
    </SecretContext>
  )
}

/** Until when it opens something, and why not any more. */
function State({ token: { ended, expiresAt, hint } }: { readonly token: ApiToken }) {
  const t = useTexts('api-tokens')
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusPill kind={ended ? 'danger' : 'ok'}>{t(ended ? `ended.${ended}` : 'good')}</StatusPill>
      <span className="text-small text-text-2">
        <bdi className="font-mono">…{hint}</bdi>
        {!ended && expiresAt && ` · ${t('until', { day: formatDate(expiresAt) })}`}
      </span>
    </span>
  )
}

function formatHolder({ user }: ApiToken): string {
  return user ? user.name : getTexts('api-tokens')('company')
}

function formatScopes({ scopes }: ApiToken): string {
  const t = getTexts('api-tokens')
  return scopes.map(scope => t(`scope.${scope}`)).join(', ')
}

function formatLastUse({ lastUsedAt }: ApiToken): string {
  return lastUsedAt ? formatMoment(lastUsedAt) : getTexts('api-tokens')('never')
}
