import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { joinClasses } from './classes.ts'
import { Icon } from './Icon.tsx'
import { Tooltip } from './Tooltip.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is filled: at most one in an area. `plain` has no border. */
  readonly kind?: 'primary' | 'normal' | 'plain' | 'danger'
  readonly size?: 'normal' | 'small' | 'large'
  readonly icon?: LucideIcon
  /** Shows that it is working and takes no second press; the width stays. */
  readonly busy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
  readonly children: ReactNode
}

/**
 * A button with a word.
 *
 * @example <Button kind="primary" icon={Check} onClick={resolve}>{t('resolve')}</Button>
 */
export function Button({
  kind = 'normal',
  size = 'normal',
  icon,
  busy,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      // Neither does the form it submits, by a press or by Enter.
      onClick={busy ? refuse : rest.onClick}
      className={joinClasses('b-button', `is-${kind}`, size !== 'normal' && `is-${size}`, busy && 'is-busy', className)}
    >
      {icon && <Icon of={icon} size={16} />}
      <span className="b-button-word">{children}</span>
      {busy && <span className="b-spinner" aria-hidden="true" />}
    </button>
  )
}

function refuse(event: MouseEvent) {
  event.preventDefault()
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly icon: LucideIcon
  /** The accessible name, also shown as tooltip. */
  readonly label: string
  readonly shortcut?: string
  readonly kind?: 'plain' | 'primary' | 'tint'
  readonly size?: 'normal' | 'small' | 'large'
  /** A brass count at the corner; nothing for 0. */
  readonly badge?: ReactNode
  /** For toggles: pressed or not. */
  readonly pressed?: boolean
  readonly tooltipSide?: 'below' | 'above' | 'right' | 'left'
  readonly ref?: Ref<HTMLButtonElement>
}

/**
 * A button with an icon alone; its name is a tooltip too.
 *
 * @example <IconButton icon={Search} label={t('search')} shortcut="/" onClick={search} />
 */
export function IconButton({
  icon,
  label,
  shortcut,
  kind = 'plain',
  size = 'normal',
  badge,
  pressed,
  tooltipSide,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut} side={tooltipSide}>
      <button
        type="button"
        {...rest}
        aria-label={rest['aria-label'] ?? label}
        aria-pressed={pressed}
        aria-keyshortcuts={shortcut?.replace('Ctrl', 'Control')}
        className={joinClasses(
          'b-icon-button',
          `is-${kind}`,
          size !== 'normal' && `is-${size}`,
          pressed && 'is-pressed',
          className,
        )}
      >
        <Icon of={icon} size={size === 'small' ? 16 : 20} />
        {badge}
      </button>
    </Tooltip>
  )
}
