import type { RequestBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Dialog, FormButtons, toast } from '@balcao/ui/parts'
import type { ReactNode } from 'react'
import type { ContactSelection } from './contact-selection.ts'

export interface BulkProps {
  readonly several: ContactSelection
  /** The choice is let go. */
  readonly onDone: () => void
  readonly onClose: () => void
}

interface BulkFormProps extends BulkProps {
  readonly title: string
  readonly action: string
  /** What is done; null while it is not said. */
  readonly act: Omit<RequestBody<'POST /contacts/bulk'>, 'ids' | 'searchParam'> | null
  readonly children: ReactNode
}

/** Something done to the chosen contacts: it goes on by itself, and the tray says what came of it. */
export function BulkForm({ several, title, action, act, children, onDone, onClose }: BulkFormProps) {
  const t = useTexts('contact-sheets')
  const [busy, during] = useBusy()
  const begin = () =>
    during(async () => {
      if (!act) return
      await api('POST /contacts/bulk', { body: { ...several.chosen, ...act } })
      toast.info(t('begun'))
      onDone()
      onClose()
    })
  return (
    <Dialog
      title={title}
      intro={several.count === null ? t('bulk.found') : t('bulk.count', { count: several.count })}
      onClose={onClose}
      onSubmit={begin}
      footer={<FormButtons action={action} busy={busy} disabled={!act} onClose={onClose} />}
    >
      <div className="grid gap-4">{children}</div>
    </Dialog>
  )
}
