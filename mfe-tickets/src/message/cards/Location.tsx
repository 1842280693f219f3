import type { Message } from '@balcao/contract'
import { parseLocation } from '@balcao/contract/messages/message-bodies'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { ExternalLink, MapPin } from 'lucide-react'

export function Location({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const place = parseLocation(message.body)
  const inside = (
    <>
      {place.image ? (
        <img className="m-map" src={place.image} alt="" width={240} height={120} />
      ) : (
        <span className="m-map is-drawn" aria-hidden="true">
          <Icon of={MapPin} />
        </span>
      )}
      <span className="m-place">
        {place.description || t('media.location')}
        {place.link && (
          <span className="m-map-link">
            {t('msg.openMap')} <Icon of={ExternalLink} size={14} />
          </span>
        )}
      </span>
    </>
  )
  return place.link ? (
    <a className="m-location" href={place.link} target="_blank" rel="noopener noreferrer nofollow">
      {inside}
    </a>
  ) : (
    <span className="m-location">{inside}</span>
  )
}
