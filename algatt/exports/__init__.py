"""Networks written in the languages of computer algebra systems."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.exports.export import POINT_SYSTEMS as POINT_SYSTEMS
    from algatt.exports.export import SYSTEMS as SYSTEMS
    from algatt.exports.export import export as export

on_demand(__name__)
