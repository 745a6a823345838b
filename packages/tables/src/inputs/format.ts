import { extname } from 'node:path'
import { phrase, RlviError } from 'rlvi'

/** How a file is read. */
export type Format = 'csv' | 'json' | 'parquet' | 'excel' | 'arrow' | 'database'

const endings: Readonly<Record<Format, readonly string[]>> = {
  csv: [
    '.csv',
    '.tsv',
    '.tab',
    '.psv',
    '.txt',
    '.dat',
    '.data',
    '.asc',
    '.prn',
    '.lvm',
    '.rdb',
    '.log',
    '.out',
    '.tbl',
    '.ecsv',
  ],
  json: ['.json', '.ndjson', '.jsonl', '.geojson', '.jsonlines'],
  parquet: ['.parquet', '.pq'],
  excel: ['.xlsx'],
  arrow: ['.feather', '.arrow', '.ipc', '.arrows'],
  database: ['.duckdb', '.db'],
}

const asCsv = 'save it as CSV'
/** Formats that people have, and no reader here: what to do instead. */
const others: Readonly<Record<string, string>> = {
  '.xls': `${asCsv} from the spreadsheet program`,
  '.ods': `${asCsv} from the spreadsheet program`,
  '.rds': `${asCsv} from R: write.csv(readRDS("FILE"), "FILE.csv")`,
  '.rda': `${asCsv} from R: write.csv`,
  '.rdata': `${asCsv} from R: write.csv`,
  '.pkl': `${asCsv} from pandas: df.to_csv`,
  '.sav': `${asCsv} from SPSS, or from R: write.csv(haven::read_sav("FILE"), "FILE.csv")`,
  '.dta': `${asCsv} from Stata, or from R: write.csv(haven::read_dta("FILE"), "FILE.csv")`,
  '.sas7bdat': `${asCsv} from SAS, or from R: write.csv(haven::read_sas("FILE"), "FILE.csv")`,
  '.zip': 'unpack it',
  '.bz2': 'unpack it by bunzip2',
  '.xz': 'unpack it by unxz',
}

/** By the ending of a name, without that of a compression. */
export function formatOf(path: string): Format {
  const ending = extname(path.toLowerCase().replace(/\.(gz|zst)$/, ''))
  const found = (Object.keys(endings) as Format[]).find((format) => endings[format].includes(ending))
  if (found !== undefined) return found
  const rule =
    'the ending says how to read a file: .csv, .tsv, .txt, .parquet, .feather, .json, .ndjson, .xlsx, .duckdb'
  const todo = others[ending] ?? 'rename the file, to .csv if it is a text whose values are parted by a sign'
  throw new RlviError(path, rule, ending === '' ? phrase('none') : ending, todo)
}
