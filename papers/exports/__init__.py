"""Papers as files for reference managers, notes and spreadsheets."""

from papers.exports.files import FORMATS, MOST_PAPERS, ExportFile, TooManyPapers, UnknownFormat, export

__all__ = ["FORMATS", "MOST_PAPERS", "ExportFile", "TooManyPapers", "UnknownFormat", "export"]
