import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { ExternalLink, Pencil, Trash2 } from 'lucide-react'
import type { RatingRow } from './list.ts'

/** Opens the ticket beside this page; a rating is the customer's, so the other two stay disabled (spec 3 §2). */
export function EntryActions({ entry: { ticketId, contact } }: { readonly entry: RatingRow }) {
  const t = useTexts('nps')
  const { name } = contact
  return (
    <span className="b-no-print flex flex-none items-center justify-end gap-1">
      <IconButton
        icon={ExternalLink}
        size="small"
        className="max-sm:size-11"
        label={t('action.open', { name })}
        onClick={() => void window.open(`/tickets/${ticketId}`, '_blank', 'noopener')}
      />
      <IconButton icon={Pencil} size="small" className="max-sm:hidden" label={t('action.edit', { name })} disabled />
      <IconButton icon={Trash2} size="small" className="max-sm:hidden" label={t('action.remove', { name })} disabled />
    </span>
  )
}
