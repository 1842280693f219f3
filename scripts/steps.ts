// Runs named steps one after the other and says how each went.

export interface Step {
  readonly name: string
  readonly run: () => Promise<void>
}

/** Runs steps in order; the first that throws ends it with exit code 1. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const start = performance.now()
    console.log(`\n── ${step.name}`)
    try {
      await step.run()
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      console.error(`── ${step.name}: failed`)
      throw new StepFailed(step.name)
    }
    console.log(`── ${step.name}: ok (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  }
}

export class StepFailed extends Error {
  constructor(step: string) {
    super(`The step "${step}" failed.`)
    this.name = 'StepFailed'
  }
}

/** Runs a program with inherited output; throws when it does not end with 0. */
export async function run(
  command: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: options.cwd ?? `${import.meta.dir}/..`,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await child.exited
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with ${code}`)
}
