import type { LucideIcon } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { joinClasses } from './classes.ts'
import { Icon } from './Icon.tsx'

interface ChipProps {
  /** The user's colour: a dot and a light tint; the text stays ink, so every colour is readable. */
  readonly color?: string
  readonly icon?: LucideIcon
  readonly className?: string
  readonly children: ReactNode
}

/** A tag, a queue, a state. `<Chip color={tag.color}>{tag.name}</Chip>`, grey without a colour. */
export function Chip({ color, icon, className, children }: ChipProps) {
  return (
    <span
      className={joinClasses('b-chip', color && 'has-color', className)}
      style={color ? ({ '--b-chip': toSafeColor(color) } as CSSProperties) : undefined}
    >
      {color && <span className="b-dot" />}
      {icon && <Icon of={icon} size={14} />}
      <span className="b-chip-word">{children}</span>
    </span>
  )
}

interface ChipsProps {
  readonly tags: readonly { readonly id: number; readonly name: string; readonly color: string }[]
  /** At most this many, then '+2' (2). */
  readonly most?: number
}

/** Tags in a row, at most two, then how many more. */
export function Chips({ tags, most = 2 }: ChipsProps) {
  const t = useTexts('ui')
  const rest = tags.slice(most)
  return (
    <>
      {tags.slice(0, most).map(tag => (
        <Chip key={tag.id} color={tag.color}>
          {tag.name}
        </Chip>
      ))}
      {rest.length > 0 && (
        <span className="b-chip" title={rest.map(tag => tag.name).join(', ')}>
          <span aria-hidden="true">+{rest.length}</span>
          <span className="b-only-read">{t('moreTags', { count: rest.length })}</span>
        </span>
      )}
    </>
  )
}

interface StatusPillProps {
  readonly kind: 'ok' | 'busy' | 'waiting' | 'danger' | 'quiet'
  readonly icon?: LucideIcon
  readonly children: ReactNode
}

/** The state of a connection or a person: 'Conectada', 'Aguardando leitura', 'Ausente', 'Desconectada'. */
export function StatusPill({ kind, icon, children }: StatusPillProps) {
  return (
    <span className={`b-pill is-${kind}`}>
      {icon && <Icon of={icon} size={14} />}
      {children}
    </span>
  )
}

/** A queue's or tag's colour as stored by users, made harmless for a style. */
export function toSafeColor(color: string) {
  return /^#[0-9a-f]{3,8}$/i.test(color) ? color : 'var(--b-muted)'
}
