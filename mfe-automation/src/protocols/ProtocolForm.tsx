import type { Protocol } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { protocolRules } from '@balcao/contract/kit/forms'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { formatDate, formatTime, useTexts } from '@balcao/ui/i18n'
import { copyText, IconButton, TextInput } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { FormDialog, FormField, type RowDialogProps, useRowForm } from '@balcao/ui/screens'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'

/** What a protocol was about (spec 3 §2): name, number and protocol are only read. */
export function ProtocolForm(props: RowDialogProps<Protocol>) {
  const t = useTexts('protocols')
  const { row, onClose } = props
  const { protocolo, contact, ticketId, user, createdAt } = row
  const form = useRowForm({
    ...props,
    texts: 'protocols',
    fieldsOf: (protocol: Protocol | null) => ({ mensagem: protocol?.mensagem ?? '' }),
    rules: protocolRules,
    save({ mensagem }, _progress, version) {
      return api('PUT /protocolos/:id', { params: { id: row.id }, body: { mensagem, version } })
    },
  })
  const when = { date: formatDate(createdAt), time: formatTime(createdAt) }
  return (
    <FormDialog
      form={form}
      title={t('form.title', { protocolo })}
      intro={user ? t('form.givenBy', { ...when, name: user.name }) : t('form.given', when)}
      onClose={onClose}
    >
      <dl className="m-0 grid grid-cols-[8rem_1fr] items-center gap-y-1 text-cell">
        <Fact name={t('column.name')}>{contact.name}</Fact>
        <Fact name={t('column.number')}>{contact.number ? formatPhone(contact.number) : '—'}</Fact>
        <Fact name={t('column.protocol')}>
          {protocolo}
          <IconButton icon={Copy} size="small" label={t('form.copy')} onClick={() => void copyText(protocolo)} />
        </Fact>
        <Fact name={t('column.ticket')}>
          <Link to={`/tickets/${ticketId}`} className="font-semibold text-primary-text">
            {t('ticket', { id: ticketId })}
          </Link>
        </Fact>
      </dl>
      <FormField form={form} name="mensagem" most={LIMITS.protocolMessage[1]} required>
        {field => <TextInput {...field} autoComplete="off" maxLength={LIMITS.protocolMessage[1]} data-autofocus="" />}
      </FormField>
    </FormDialog>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2">{name}</dt>
      <dd className="m-0 flex min-h-7 min-w-0 items-center gap-1 break-words">{children}</dd>
    </>
  )
}
