import { UsersRound } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { joinClasses } from './classes.ts'

interface AvatarProps {
  /** Chooses the pair of colours: always the same for the same contact or user. */
  readonly id: number
  readonly name: string
  readonly photo?: string | null
  readonly group?: boolean
  readonly presence?: 'online' | 'away' | 'offline'
  /** Diameter in px (44). */
  readonly size?: number
  readonly className?: string
}

/**
 * Photo, else two initials on one of eight calm pairs, else the people icon for groups. Decorative: the name stands beside it.
 *
 * @example <Avatar id={contact.id} name={contact.name} photo={contact.profilePicUrl} />
 */
export function Avatar({ id, name, photo, group, presence, size = 44, className }: AvatarProps) {
  const t = useTexts('ui')
  const [broken, setBroken] = useState<string | null>(null)
  const pair = (Math.abs(id) % 8) + 1
  const style = {
    '--b-size': `${size}px`,
    ...(group ? {} : { background: `var(--b-avatar-${pair})`, color: `var(--b-on-avatar-${pair})` }),
  } as CSSProperties
  return (
    <span className={joinClasses('b-avatar', group && 'is-group', className)} style={style}>
      {photo && broken !== photo ? (
        <img src={photo} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setBroken(photo)} />
      ) : group ? (
        <UsersRound size={size * 0.45} strokeWidth={1.8} aria-hidden="true" />
      ) : (
        <span aria-hidden="true">{getInitials(name)}</span>
      )}
      {presence && (
        <span className={`b-presence is-${presence}`}>
          <span className="b-only-read">{t(presence)}</span>
        </span>
      )}
    </span>
  )
}

const QUIET = /^(d[aeo]s?|e|the|of|y|del?|la)$/i

/** 'Dona Lúcia Ferreira' gives 'DF', 'Contato' gives 'CO', a bare number its last two digits. */
export function getInitials(name: string) {
  const words = name.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word))
  const letters = words.map(word => word.replace(/^[^\p{L}\p{N}]+/u, ''))
  if (letters.length > 0 && letters.every(word => /^[\d()-]+$/.test(word)))
    return letters.join('').replace(/\D/g, '').slice(-2)
  const telling = letters.filter(word => !QUIET.test(word))
  const [first, ...rest] = telling.length > 0 ? telling : letters
  if (!first) return '?'
  const last = rest.at(-1)
  return (last ? getFirstLetter(first) + getFirstLetter(last) : [...first].slice(0, 2).join('')).toLocaleUpperCase('pt')
}

function getFirstLetter(word: string) {
  return [...word][0] ?? ''
}
