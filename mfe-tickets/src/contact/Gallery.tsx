// All pictures and videos, documents, recordings and links of a conversation, page by page; arrows go through them.
import { GALLERY_KINDS, type GalleryKind } from '@balcao/contract'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState, ErrorState, Segments } from '@balcao/ui/parts'
import { FileText, Image, Link, Mic } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { findArrowTarget } from '../desk/arrow-target.ts'
import { AudioRow, DocumentRow, LinkRow, Thumb } from './GalleryItems.tsx'
import { useGallery } from './use-gallery.ts'

const ICONS = { media: Image, documents: FileText, audio: Mic, links: Link }
const ROWS = { documents: DocumentRow, audio: AudioRow, links: LinkRow }

interface GalleryProps {
  readonly ticketId: number
  readonly contactId: number
}

export function Gallery({ ticketId, contactId }: GalleryProps) {
  const t = useTexts('tickets')
  const panel = useId()
  const [kind, setKind] = useState<GalleryKind>('media')
  return (
    <div className="x-gallery">
      <Segments
        label={t('drawer.media')}
        tabs={GALLERY_KINDS.map(id => ({ id, label: t(`drawer.kind.${id}`) }))}
        chosen={kind}
        onChoose={setKind}
        panelId={panel}
        takesFocus
      />
      <div id={panel} role="tabpanel" aria-label={t(`drawer.kind.${kind}`)} onKeyDown={moveByArrow}>
        <Kind key={kind} kind={kind} ticketId={ticketId} contactId={contactId} />
      </div>
    </div>
  )
}

/** From one to the next, also between rows; Home and End to the first and the last. */
function moveByArrow(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.x-thumb, .x-file > a, .m-sound-play')]
  const at = items.findIndex(item => (item.closest('li') ?? item).contains(document.activeElement))
  const to = { Home: items[0], End: items.at(-1) }[event.key] ?? findArrowTarget(items, at, event.key)
  if (!to) return
  event.preventDefault()
  to.focus()
}

function Kind({ kind, ticketId, contactId }: GalleryProps & { readonly kind: GalleryKind }) {
  const t = useTexts('tickets')
  const { items, hasMore, busy, error, more, again } = useGallery(ticketId, contactId, kind)
  if (error && !items) return <ErrorState title={t('drawer.mediaFailed')} text={describeError(error)} onRetry={again} />
  if (!items) return null
  if (items.length === 0)
    return <EmptyState icon={ICONS[kind]} title={t(`drawer.none.${kind}`)} text={t('drawer.noneText')} />
  const Row = kind === 'media' ? null : ROWS[kind]
  return (
    <>
      {Row === null ? (
        <div className="x-media is-wide">
          {items.map(message => (
            <Thumb key={message.id} message={message} ticketId={ticketId} among={items} />
          ))}
        </div>
      ) : (
        <ul className="x-files">
          {items.map(message => (
            <Row key={message.id} message={message} ticketId={ticketId} />
          ))}
        </ul>
      )}
      {hasMore && <More busy={busy} failed={error !== null} onMore={more} />}
    </>
  )
}

/** Fetches the next page when it comes within 100 px of being seen; also a button, for hands that do not scroll. */
function More({
  busy,
  failed,
  onMore,
}: {
  readonly busy: boolean
  readonly failed: boolean
  readonly onMore: () => void
}) {
  const t = useTexts('tickets')
  const box = useRef<HTMLDivElement>(null)
  const seen = useEffectEvent(() => {
    if (!busy && !failed) onMore()
  })
  // Watched anew after each page: one that does not fill the drawer asks for the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `busy` begins a new watch
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && seen(), {
      rootMargin: '100px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [busy])
  return (
    <div ref={box} className="x-more">
      <Button busy={busy} onClick={onMore}>
        {t('drawer.more')}
      </Button>
    </div>
  )
}
