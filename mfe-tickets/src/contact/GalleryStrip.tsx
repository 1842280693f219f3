// The newest pictures and videos, and the way to all files and links.
import { useTexts } from '@balcao/ui/i18n'
import { Thumb } from './GalleryItems.tsx'
import { useGallery } from './use-gallery.ts'

const SHOWN = 4

interface GalleryStripProps {
  readonly ticketId: number
  readonly contactId: number
  readonly onAll: () => void
}

export function GalleryStrip({ ticketId, contactId, onAll }: GalleryStripProps) {
  const t = useTexts('tickets')
  const { items } = useGallery(ticketId, contactId, 'media', SHOWN)
  return (
    <section className="x-section">
      <div className="x-section-head">
        <h4>{t('drawer.media')}</h4>
        <button type="button" className="x-all" onClick={onAll}>
          {t('drawer.seeAll')}
        </button>
      </div>
      {items?.length === 0 && <p className="m-quiet">{t('drawer.noMedia')}</p>}
      {items && items.length > 0 && (
        <div className="x-media">
          {items.slice(0, SHOWN).map(message => (
            <Thumb key={message.id} message={message} ticketId={ticketId} among={items} />
          ))}
        </div>
      )}
    </section>
  )
}
