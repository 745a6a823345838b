/** The command itself, for a machine that has Node.js and a card, but no packages. */
import { main } from '@rlvi/cli'

process.exitCode = await main(process.argv.slice(2))
